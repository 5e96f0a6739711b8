// JSON that keeps numbers as they were written: a double rounds 18446744073709551615, and writes 1.0 as 1.

class ExactNumber {
    constructor(text) {
        this.text = text;
    }
    valueOf() {
        return Number(this.text);
    }
    toString() {
        return this.text;
    }
    // A browser that passes the source of a number has this as well.
    toJSON() {
        return JSON.rawJSON(this.text);
    }
}

const isNumber = value => typeof value === "number" || value instanceof ExactNumber;
const isObject = value => typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber);

/** Parses a text. A browser that does not pass the source of a number to the reviver rounds as usual. */
function parseJson(text) {
    return JSON.parse(text, (key, value, context) =>
        typeof value === "number" && context?.source !== undefined && context.source !== String(value) ? new ExactNumber(context.source) : value);
}

/** Parses what a person typed. The parser alone would drop the first of two properties with one name. */
function parseTyped(text) {
    const value = parseJson(text);
    const names = [...text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)].filter(([, isName]) => isName).length;
    const count = value => (isLeaf(value) ? 0 : Object.values(value).reduce((sum, item) => sum + count(item), isObject(value) ? Object.keys(value).length : 0));
    if (names !== count(value)) throw new SyntaxError("an object has two properties with one name");
    return value;
}

/** Writes a value. With `indent`, on several lines. */
const toJson = (value, indent) => JSON.stringify(value, undefined, indent);

/** Returns true if two values are the same, whatever the order of properties. */
function isSame(a, b) {
    if (isNumber(a) && isNumber(b)) return String(a) === String(b) || (Number.isSafeInteger(Number(a)) && Number(a) === Number(b));
    if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a === b;
    if (Array.isArray(a) !== Array.isArray(b)) return false;
    const [keys, others] = [Object.keys(a), Object.keys(b)];
    return keys.length === others.length && keys.every(key => Object.hasOwn(b, key) && isSame(a[key], b[key]));
}

/** The property that a token of a JSON pointer names. */
const tokenName = token => token.replaceAll("~1", "/").replaceAll("~0", "~");

/** An object without a prototype: a property may have any name, also `__proto__`. */
const emptyObject = () => Object.create(null);

const own = (object, key) => (isObject(object) && Object.hasOwn(object, key) ? object[key] : undefined);
