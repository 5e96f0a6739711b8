"""Checks the prose for phrases that are not native English, and prints what to write instead.

    python3 .ci/language.py

Of Markdown it reads everything but code, of Rust the comments.
"""

import re
import subprocess
import sys
from pathlib import Path

PATHS = [
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "docs",
    "mcp-tool-runtime/docs",
    "mcp-tool-macros/src",
    "mcp-tool-runtime/src",
    "mcp-tool-tasks/README.md",
    "mcp-tool-tasks/examples",
    "mcp-tool-tasks/src",
    "mcp-tool-tasks/tests",
    "tests/README.md",
]
# Written by a test, or compared with what the compiler says.
SKIPPED = ("mcp-tool-runtime/docs/when_it_does_not_compile.md", "mcp-tool-macros/src/tests/snapshots/")

RULES = [
    (r"\bof (its|their|your|his|our) own\b(?! \w)", "its own X, their own X"),
    (r"\b(is|are|was|were) no (string|number|object|array|text|name|tool|list|boolean|word|identifier|path|type|JSON)s?\b(?! (of|with|or|to|for|that|in|on))",
     "is not a X"),
    (r", (too|as well|also)[.;:]", "leave it out, or put `also` before the verb"),
    (r"\bturn(s|ed|ing)? (\w+ )?(on|off)\b", "enable, disable"),
    (r"\bwhatever\b[^.]*\bturns?\b", "say which"),
    (r"\b(thereof|therein|whereof|wherein|thereby|hereby)\b", "of it, in it, by that"),
    (r"\bcom(e|es|ing) to lie\b", "is placed"),
    (r"\bis none of\b|\bare none of\b", "is not one of"),
    (r"\bin the place of\b", "instead of, in place of"),
    (r"\bthat which\b|\bsuch that is\b", "what, the X that"),
    (r"\bgoodwill\b", "leniency"),
    (r"\b(in|within) the midst of\b", "among"),
    (r"\bends? (the )?TLS\b", "terminate TLS"),
    (r"\bfor ever\b", "forever"),
    (r"\ball the same\b", "anyway, nevertheless"),
    (r"\bnobody else's\b|\bof nobody\b", "say whose"),
    (r"\b(stands?|stood) (there|here|in (the|a|its|their) (\w+ )?(place|file|table|list))\b", "is"),
    (r"\bone of them alone\b|\bby itself alone\b", "alone"),
    (r"\bgo(es|ing)? on\b(?! (to|for)\b)", "continue"),
    (r", also (if|when|in|of|for|through|over|inside|behind|with|as|on|from|after|by)\b", "even if, including"),
    (r"\bany more\b", "no longer"),
    (r"\bshall\b", "must, should"),
    (r"\badmit(s|ted)?\b", "allow, accept"),
    (r"\b(a|an|one) \w+ of (yours|theirs|ours)\b", "your own X"),
    (r"\b(come|comes) or go(es)?\b", "be added or removed"),
    (r"\bis left to say\b|\bis to be \w+ed\b", "must be, is"),
]
RULES = [(re.compile(pattern, re.IGNORECASE), instead) for pattern, instead in RULES]
COMMENT = re.compile(r"^\s*//[/!]?\s?(.*)|\s//\s(.*)$")


def prose(path):
    """Returns the number and the text of each line of prose."""
    code = False
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if path.suffix == ".rs":
            found = COMMENT.search(line)
            if not found:
                code = False
                continue
            line = found[1] or found[2] or ""
        if line.lstrip().startswith("```"):
            code = not code
        elif not code:
            yield number, re.sub(r"`[^`]*`|\]\([^)]*\)", "`…`", line)


def main():
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", *PATHS], capture_output=True, text=True, check=True)
    files = [Path(name) for name in listed.stdout.splitlines() if name.endswith((".md", ".rs")) and not name.startswith(SKIPPED)]
    files = [file for file in files if file.exists()]
    findings = 0
    for file in files:
        for number, line in prose(file):
            for rule, instead in RULES:
                for found in rule.finditer(line):
                    findings += 1
                    print(f"{file}:{number}: “{found[0]}” → {instead}")
    print(f"language: {len(files)} files, {findings} findings")
    sys.exit(findings > 0)


main()
