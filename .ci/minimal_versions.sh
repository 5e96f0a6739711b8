#!/usr/bin/env bash
# Checks that the published crates build with the oldest dependencies that Cargo.toml permits. A nightly toolchain chooses the versions;
# the toolchain of the repository builds, or the one in RUSTUP_TOOLCHAIN.
set -euo pipefail
cd "$(dirname "$0")/.."

mkdir -p "${CARGO_TARGET_DIR:-target}"
target=$(cd "${CARGO_TARGET_DIR:-target}" && pwd)/minimal
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
cp -r LICENSE-* README.md rust-toolchain.toml mcp-tool-macros mcp-tool-schema mcp-tool-runtime "$copy"
# The tests and the examples are left out: they may ask for newer versions.
sed 's/^members = .*/members = ["mcp-tool-macros", "mcp-tool-schema", "mcp-tool-runtime"]/; /^default-members = /d' Cargo.toml >"$copy/Cargo.toml"

cd "$copy"
cargo +nightly -Z direct-minimal-versions generate-lockfile --quiet
for features in --no-default-features --all-features; do
    cargo check --locked --quiet --target-dir "$target" -p mcp-tool-runtime "$features"
    echo "$features: builds with the oldest dependencies"
done
