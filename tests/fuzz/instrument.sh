#!/bin/sh
# Runs rustc, with the instrumentation that libFuzzer reads: counters for edges, comparisons and the stack's depth. Only our own crates
# get it. Other crates compile faster without it, and new edges in them would not make an input interesting.
case "$CARGO_PKG_NAME: $* " in
# Build scripts and procedural macros have no `--target`.
fuzz:*' --target '* | mcp-tool-runtime:*' --target '* | mcp-tool-schema:*' --target '* | mcp-tool-tests:*' --target '*)
    exec "$@" -Cpasses=sancov-module \
        -Cllvm-args=-sanitizer-coverage-level=4 \
        -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
        -Cllvm-args=-sanitizer-coverage-pc-table \
        -Cllvm-args=-sanitizer-coverage-trace-compares \
        -Cllvm-args=-sanitizer-coverage-stack-depth
    ;;
*) exec "$@" ;;
esac
