#!/usr/bin/env bash
# Checks mcp-tool-runtime for WebAssembly, for each of the two targets that `rustup target add` has installed, and runs a call in Node.js.
set -euo pipefail
cd "$(dirname "$0")/.."

target=$(mkdir -p "${CARGO_TARGET_DIR:-target}" && cd "${CARGO_TARGET_DIR:-target}" && pwd)
checked=0
for triple in wasm32-unknown-unknown wasm32-wasip1; do
    if [[ ! -d $(rustc --print target-libdir --target "$triple") ]]; then
        echo "$triple: skipped, the target is not installed"
        continue
    fi
    for features in "" tokio,tracing; do
        cargo check --quiet --locked --target "$triple" -p mcp-tool-runtime --no-default-features --features "$features"
    done
    # A system clock is missing there, so a call that asked it would trap.
    if [[ $triple = wasm32-unknown-unknown ]]; then
        cargo build --quiet --locked --manifest-path tests/wasm/Cargo.toml --target "$triple" --target-dir "$target"
        node -e '
            const program = require("fs").readFileSync(process.argv[1]);
            WebAssembly.instantiate(program, {}).then(({ instance }) => instance.exports.main(0, 0));
        ' "$target/$triple/debug/wasm.wasm"
    fi
    echo "$triple: ok"
    checked=$((checked + 1))
done
if ((checked == 0)); then exit 77; fi
