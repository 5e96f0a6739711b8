// Prints what Node.js says about generated patterns. mcp-tool-schema/src/pattern/ecmascript.txt has the output:
//
//     node .ci/ecmascript.mjs > mcp-tool-schema/src/pattern/ecmascript.txt
//
// The first line has the texts, and the line after it single characters. Each other line has a pattern and its verdict on each text, or on
// each character if the pattern is a property. A pattern that ECMAScript refuses has the verdict `-`.

import { readFileSync } from "node:fs";

let seed = 7;
const random = (below) => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
};
const one = (list) => list[random(list.length)];

const TEXTS = ["", "a", "é", "éx", "xé", "aé b", "é é", "éé", "x1_", "_", "9", "٣", " ", "\u00a0", "\u0085", "\ufeff", "\n", "a\nb", "\r", "\u2028", "-",
    "a-b", "ſ", "K", "😀", "😀a", "ab12", "α β", "b]c", "\u0000", "\u0001", "\b", "/.^$", "{2}", "A", "aaa", "ǅ", "‿"];

// Characters that have been assigned for long, and whose properties do not change.
const CHARACTERS = "aZ09_-+$^ \n\u0000\u0085\u00a0\u00ad«»éßŉǅǄǆʰͅα٣߉अกცᎠᏸᚠ  \u2028\u2029\u202e\u200d‿₀€℘Ⅷ←∑⌚Ⓐ─☺⚽⛹⠁⸢⿰⿻〇〆〱あアㄅ一ꀀ가ﬁ(﹙０ａｱ\ufe0f\ufeff\ufdd0\ue000😀🇦🏽𐀀𐌰𝒜𝟎\u{e0100}";

const ATOMS = ["a", "é", "x", "1", " ", "-", "😀", ".", "\\d", "\\D", "\\w", "\\W", "\\s", "\\S", "\\b", "\\B", "^", "$", "\\t", "\\n", "\\r", "\\v",
    "\\f", "\\x61", "\\xe9", "\\u0061", "\\u00e9", "\\u{1F600}", "\\u{000000061}", "\\/", "\\.", "\\^", "\\$", "\\]", "\\{", "\\-", "\\_", "\\é", "\\a", "\\e",
    "\\A", "\\z", "\\cA", "\\0", "\\1", "\\k<a>", "\\p{L}", "\\P{L}", "\\p{Lu}", "\\p{digit}", "\\p{Nd}", "\\p{Emoji}", "\\p{Script=Greek}", "\\p{sc=Grek}",
    "\\p{Any}", "\\p{ASCII}", "\\P{ASCII}", "\\p{letter}", "\\pL", "\\p{Cs}", "(a)", "(?:é|x)", "(?<a>1)", "(?=a)", "(?i:A)", "(?i)A", "()", "(|a)", "[]", "[^]",
    "}", "]", "{2}"];
const MEMBERS = ["a", "é", "x", "0-9", "a-z", "\\d", "\\D", "\\w", "\\W", "\\s", "\\S", "\\b", "\\B", "-", "\\-", "\\]", "\\^", "^", ".", "$", "|", "&", "&&",
    "~~", "--", "[", "[:alpha:]", "\\x61", "\\u{e9}", "\\n", "\\0", "\\cA", "\\p{L}", "\\P{Lu}", "\\p{Emoji}", "z-a", "\\d-a", "a-\\d", " ", "#", "😀", "é-ü"];
const COUNTS = ["*", "+", "?", "*?", "{2}", "{0}", "{1,}", "{1,2}", "{2,1}", "{,2}", "{ 1 }", "**"];

const part = () => {
    let atom = one(ATOMS);
    if (random(4) === 0) {
        atom = `[${random(3) === 0 ? "^" : ""}${Array.from({ length: 1 + random(3) }, () => one(MEMBERS)).join("")}]`;
    }
    return atom + (random(4) === 0 ? one(COUNTS) : "");
};
const generated = () => {
    const body = Array.from({ length: 1 + random(3) }, part).join(random(9) === 0 ? "|" : "");
    return (random(3) === 0 ? "^" : "") + body + (random(3) === 0 ? "$" : "");
};

const verdict = (pattern, texts) => {
    let regex;
    try {
        regex = new RegExp(pattern, "u");
    } catch {
        return "-";
    }
    return texts.map((text) => Number(regex.test(text))).join("");
};

const characters = [...CHARACTERS];
console.log(JSON.stringify(TEXTS));
console.log(JSON.stringify(characters));
const names = readFileSync(new URL("../mcp-tool-schema/src/pattern/property.rs", import.meta.url), "utf8");
const list = (name) => names.match(new RegExp(`const ${name}: &str = "([^"]*)"`))[1].split(/[\s\\]+/);
const properties = [...list("BINARY"), ...list("CATEGORIES"), ...list("SCRIPTS").map((script) => `sc=${script}`)];
for (const property of properties) {
    console.log(`${JSON.stringify(`^\\p{${property}}$`)} ${verdict(`^\\p{${property}}$`, characters)}`);
}
const patterns = new Set([...ATOMS, ...ATOMS.map((atom) => `^${atom}$`), ...MEMBERS.flatMap((member) => [`^[${member}]$`, `^[^${member}]$`])]);
while (patterns.size < 900) {
    patterns.add(generated());
}
for (const pattern of patterns) {
    console.log(`${JSON.stringify(pattern)} ${verdict(pattern, TEXTS)}`);
}
