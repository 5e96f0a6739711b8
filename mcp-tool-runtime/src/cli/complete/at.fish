set -g __@id@_commands @paths@
function __@id@_at
    set -l at ''
    for word in (commandline -opc)[2..-1]
        set -l longer (string trim -- "$at $word")
        if contains -- "$longer" $__@id@_commands
            set at $longer
        end
    end
    test "$at" = "$argv[1]"
end
