// Holds the verdicts of the agreement test against those of Ajv. The test starts it, where .ci/run says so.
//
// Standard input has a line for each schema, {"tool", "schema"}, and for each value, {"tool", "value", "valid"}: the
// verdict of the `jsonschema` crate. Exits with 1 when Ajv says otherwise of any value.

import { createInterface } from "node:readline";
import Ajv2020 from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

const SHOWN = 20;

// An unknown keyword or format is an error of the schema; that a type is not said is none.
const ajv = new Ajv2020({ strict: true, strictTypes: false, strictTuple: false, strictRequired: false, allErrors: false });
addFormats(ajv, { mode: "full" });

// Ajv also takes a URN for a UUID, which RFC 4122 tells apart.
ajv.addFormat("uuid", /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i);

// JSON Schema has the date-time of RFC 3339; Ajv also takes a blank between date and time, and an offset without a colon.
const dateTime = ajv.formats["date-time"];
ajv.addFormat("date-time", { type: "string", validate: (text) => /[tT].*(?:[zZ]|[+-]\d\d:\d\d)$/.test(text) && dateTime.validate(text) });

// RFC 3986 lets a URI end after its scheme, and a port has digits only. Ajv refuses the first and takes letters in the second.
const uri = ajv.formats.uri;
const acceptsUri = typeof uri === "function" ? uri : (text) => uri.test(text);
ajv.addFormat("uri", (text) => {
  if (/^[a-z][a-z\d+.-]*:(?:[?#]|$)/i.test(text)) return acceptsUri(text.replace(":", ":p"));
  const authority = /^[^:/?#]+:\/\/([^/?#]*)/.exec(text)?.[1] ?? "";
  return acceptsUri(text) && /^(?:.*@)?(?:\[.*\]|[^:]*)(?::\d*)?$/.test(authority);
});

// With `unevaluatedProperties` Ajv takes a member by the name of something that every object inherits for evaluated.
const inherited = (value) =>
  typeof value === "object" &&
  value !== null &&
  Object.entries(value).some(([key, inner]) => (!Array.isArray(value) && key in Object.prototype) || inherited(inner));

const validators = new Map();
const unevaluated = new Set();
let [values, wrong, skipped] = [0, 0, 0];

for await (const text of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const line = JSON.parse(text);
  if ("schema" in line) {
    if (text.includes('"unevaluatedProperties":false')) unevaluated.add(line.tool);
    if (line.schema !== null) validators.set(line.tool, ajv.compile(line.schema));
    continue;
  }
  if (unevaluated.has(line.tool) && inherited(line.value)) {
    skipped += 1;
    continue;
  }
  values += 1;
  const validate = validators.get(line.tool);
  if (validate(line.value) !== line.valid) {
    wrong += 1;
    if (wrong <= SHOWN) {
      const why = ajv.errorsText(validate.errors ?? [], { dataVar: "" });
      console.log(`${line.tool} ${JSON.stringify(line.value)}\n    jsonschema: ${line.valid}, Ajv: ${!line.valid} ${why}`);
    }
  }
}

console.log(`Ajv: ${validators.size} schemas, ${values} values, ${wrong} disagreements, ${skipped} values not asked about`);
process.exit(wrong > 0 || values === 0 ? 1 : 0);
