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

// The scripts that Rust and ECMAScript know, with long and short names.
const SCRIPTS = `Adlam Adlm Ahom Anatolian_Hieroglyphs Hluw Arabic Arab Armenian Armn Avestan Avst Balinese Bali Bamum Bamu
    Bassa_Vah Bass Batak Batk Bengali Beng Bhaiksuki Bhks Bopomofo Bopo Brahmi Brah Braille Brai Buginese Bugi
    Buhid Buhd Canadian_Aboriginal Cans Carian Cari Caucasian_Albanian Aghb Chakma Cakm Cham Chorasmian Chrs
    Cherokee Cher Common Zyyy Coptic Copt Qaac Cuneiform Xsux Cypriot Cprt Cypro_Minoan Cpmn Cyrillic Cyrl
    Deseret Dsrt Devanagari Deva Dives_Akuru Diak Dogra Dogr Duployan Dupl Egyptian_Hieroglyphs Egyp Elbasan
    Elba Elymaic Elym Ethiopic Ethi Garay Gara Georgian Geor Glagolitic Glag Gothic Goth Grantha Gran Greek
    Grek Gujarati Gujr Gunjala_Gondi Gong Gurmukhi Guru Gurung_Khema Gukh Han Hani Hangul Hang Hanifi_Rohingya
    Rohg Hanunoo Hano Hatran Hatr Hebrew Hebr Hiragana Hira Imperial_Aramaic Armi Inherited Zinh Qaai
    Inscriptional_Pahlavi Phli Inscriptional_Parthian Prti Javanese Java Kaithi Kthi Kannada Knda Katakana
    Kana Kawi Kayah_Li Kali Kharoshthi Khar Khitan_Small_Script Kits Khmer Khmr Khojki Khoj Khudawadi Sind
    Kirat_Rai Krai Lao Laoo Latin Latn Lepcha Lepc Limbu Limb Linear_A Lina Linear_B Linb Lisu Lycian Lyci
    Lydian Lydi Mahajani Mahj Makasar Maka Malayalam Mlym Mandaic Mand Manichaean Mani Marchen Marc
    Masaram_Gondi Gonm Medefaidrin Medf Meetei_Mayek Mtei Mende_Kikakui Mend Meroitic_Cursive Merc
    Meroitic_Hieroglyphs Mero Miao Plrd Modi Mongolian Mong Mro Mroo Multani Mult Myanmar Mymr Nabataean Nbat
    Nag_Mundari Nagm Nandinagari Nand New_Tai_Lue Talu Newa Nko Nkoo Nushu Nshu Nyiakeng_Puachue_Hmong Hmnp
    Ogham Ogam Ol_Chiki Olck Ol_Onal Onao Old_Hungarian Hung Old_Italic Ital Old_North_Arabian Narb Old_Permic
    Perm Old_Persian Xpeo Old_Sogdian Sogo Old_South_Arabian Sarb Old_Turkic Orkh Old_Uyghur Ougr Oriya Orya
    Osage Osge Osmanya Osma Pahawh_Hmong Hmng Palmyrene Palm Pau_Cin_Hau Pauc Phags_Pa Phag Phoenician Phnx
    Psalter_Pahlavi Phlp Rejang Rjng Runic Runr Samaritan Samr Saurashtra Saur Sharada Shrd Shavian Shaw
    Siddham Sidd SignWriting Sgnw Sinhala Sinh Sogdian Sogd Sora_Sompeng Sora Soyombo Soyo Sundanese Sund
    Sunuwar Sunu Syloti_Nagri Sylo Syriac Syrc Tagalog Tglg Tagbanwa Tagb Tai_Le Tale Tai_Tham Lana Tai_Viet
    Tavt Takri Takr Tamil Taml Tangsa Tnsa Tangut Tang Telugu Telu Thaana Thaa Thai Tibetan Tibt Tifinagh Tfng
    Tirhuta Tirh Todhri Todr Toto Tulu_Tigalari Tutg Ugaritic Ugar Vai Vithkuqi Vith Wancho Wcho Warang_Citi
    Wara Yezidi Yezi Yi Yiii Zanabazar_Square Zanb`;

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
const names = readFileSync(new URL("../mcp-tool-schema/src/pattern/class.rs", import.meta.url), "utf8");
const list = (name) => names.match(new RegExp(`const ${name}: &str = "([^"]*)"`))[1].split(/[\s\\]+/);
const properties = [...list("BINARY"), ...list("CATEGORIES"), ...SCRIPTS.split(/\s+/).map((script) => `sc=${script}`)];
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
