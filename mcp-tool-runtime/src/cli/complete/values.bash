__mcp_tool_values() {
    local value quoted
    for value in "$@"; do
        case "${COMP_WORDS[COMP_CWORD]}" in
            [\"\']*)
                [[ "${value}" == *[\"\'\\\$\`!]* ]] && continue
                quoted="${value}"
                ;;
            *)
                printf -v quoted '%q' "${value}"
                ;;
        esac
        [[ "${quoted}" == "${cur}"* ]] && COMPREPLY+=("${quoted}")
    done
}
