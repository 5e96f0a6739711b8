    if [[ "${COMP_WORDS[COMP_CWORD]}" == "=" ]]; then
        prev="${COMP_WORDS[COMP_CWORD-1]}"
        cur=""
    elif [[ "${COMP_CWORD}" -gt 1 && "${COMP_WORDS[COMP_CWORD-1]}" == "=" ]]; then
        prev="${COMP_WORDS[COMP_CWORD-2]}"
    fi
