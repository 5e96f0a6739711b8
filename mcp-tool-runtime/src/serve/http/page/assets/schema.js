// What a schema says about a field.

const MAX_LINKS = 32;

/** Returns the schema behind references. Keywords beside a reference replace those of its target. */
function resolve(schema, root) {
    let found = isObject(schema) ? schema : {};
    for (let links = 0; typeof found.$ref === "string" && links < MAX_LINKS; links++) {
        const { $ref, ...beside } = found;
        found = { ...pointed(root, $ref), ...beside };
    }
    return Array.isArray(found.allOf) ? found.allOf.reduce((all, part) => merge(all, resolve(part, root)), without(found, "allOf")) : found;
}

/** Returns what a local reference points to, or a schema that admits everything. */
function pointed(root, reference) {
    if (!reference.startsWith("#/")) return {};
    const tokens = reference.slice(2).split("/").map(token => tokenName(decodeURIComponent(token)));
    const target = tokens.reduce((at, token) => own(at, token), root);
    return isObject(target) ? target : {};
}

function without(object, ...keys) {
    return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
}

/** Joins two schemas of one value. */
function merge(a, b) {
    const properties = a.properties || b.properties ? { properties: { ...a.properties, ...b.properties } } : {};
    const required = a.required || b.required ? { required: [...new Set([...(a.required ?? []), ...(b.required ?? [])])] } : {};
    return { ...a, ...b, ...properties, ...required };
}

/** Returns the branches of a union, each with what the schema says beside the union. */
function branches(schema, root) {
    if (Array.isArray(schema.type)) return schema.type.map(type => ({ ...without(schema, "description", "title", "default"), type }));
    const union = schema.anyOf ?? schema.oneOf;
    if (!Array.isArray(union)) return undefined;
    const beside = without(schema, "anyOf", "oneOf", "description", "title", "default", "examples");
    return union.map(branch => merge(beside, resolve(branch, root)));
}

/** Returns the kind of field for a schema: a JSON type, or `const`, `enum`, `union` or `any`. */
function kindOf(schema, root) {
    if ("const" in schema) return "const";
    if (Array.isArray(schema.enum)) return "enum";
    const union = branches(schema, root);
    // `oneOf` of constants with titles is how a question offers choices.
    if (union) return union.every(branch => "const" in branch && !branch.properties) ? "enum" : "union";
    if (typeof schema.type === "string") return schema.type;
    if (schema.properties || schema.additionalProperties) return "object";
    return schema.items || schema.prefixItems ? "array" : "any";
}

/** Returns the choices of an enum: value and text. A string that could be taken for another value is in quotes. */
function choices(schema, root) {
    const found = schema.enum
        ? schema.enum.map((value, index) => [value, schema.enumNames?.[index]])
        : branches(schema, root).map(branch => [branch.const, branch.title, branch.description]);
    const others = found.map(([value]) => (typeof value === "string" ? "" : toJson(value)));
    return found.map(([value, title, more]) => [value, title ?? (typeof value === "string" && (value === "" || others.includes(value)) ? toJson(value) : display(value)), more]);
}

const display = value => (typeof value === "string" ? value : toJson(value));

/** Returns a name for a branch of a union: what tells it from the other branches. */
function branchName(branch, root, index) {
    const properties = Object.entries(branch.properties ?? {}).map(([name, property]) => [name, resolve(property, root)]);
    const tags = properties.filter(([, property]) => "const" in property).map(([, property]) => display(property.const));
    if (tags.length > 0) return tags.join(", ");
    if ("const" in branch) return display(branch.const);
    if (branch.title) return branch.title;
    const required = branch.required ?? [];
    if (required.length > 0) return required.join(", ");
    const kind = kindOf(branch, root);
    return { any: "any JSON", enum: "one of the values", union: `option ${index + 1}` }[kind] ?? kind;
}

/** Describes type and limits in a few words: `integer, 1 to 50`. */
function describe(schema, root) {
    const kind = kindOf(schema, root);
    const parts = [];
    if (kind === "array") {
        const [items] = describe(without(resolve(schema.items, root), "minimum", "maximum"), root).split(",");
        parts.push(schema.items && !schema.prefixItems ? `list of ${/ /.test(items) ? items : `${items}s`}` : "list");
    } else if (kind === "object" && !Object.keys(schema.properties ?? {}).length) parts.push("map");
    else parts.push({ any: "any JSON", enum: "choice", union: "one of several", const: "constant" }[kind] ?? kind);
    if (schema.format) parts.push(schema.format);
    const range = (from, to, unit) => {
        const [low, high] = [from && `${from}`, to && `${to}`];
        const units = count => (unit === "" ? "" : ` ${unit}${count === "1" ? "" : "s"}`);
        if (low && high) parts.push(low === high ? low + units(low) : `${low} to ${high}${units(high)}`);
        else if (low) parts.push(`at least ${low}${units(low)}`);
        else if (high) parts.push(`at most ${high}${units(high)}`);
    };
    const text = value => (value === undefined ? undefined : String(value));
    if (kind === "integer" || kind === "number") {
        range(text(schema.minimum), text(schema.maximum), "");
        if (schema.exclusiveMinimum !== undefined) parts.push(`more than ${schema.exclusiveMinimum}`);
        if (schema.exclusiveMaximum !== undefined) parts.push(`less than ${schema.exclusiveMaximum}`);
        if (schema.multipleOf !== undefined) parts.push(`a multiple of ${schema.multipleOf}`);
    }
    if (kind === "string") range(text(schema.minLength), text(schema.maxLength), "character");
    if (kind === "array") range(text(schema.minItems), text(schema.maxItems), "item");
    if (schema.uniqueItems) parts.push("no duplicates");
    if (schema.pattern) parts.push(`matches ${schema.pattern}`);
    if (schema.contentEncoding) parts.push(schema.contentEncoding);
    return parts.join(", ");
}

/** Returns true for the schema of no value: `false`, or `{"not": {}}`, which also clients without boolean schemas understand. */
const isNever = schema => schema === false || (isObject(schema?.not) && Object.keys(schema.not).length === 0);

/** Returns true if a value looks like one of a schema: enough to choose the branch of a union. */
function fits(value, schema, root) {
    const resolved = resolve(schema, root);
    if ("const" in resolved) return isSame(value, resolved.const);
    if (resolved.enum) return resolved.enum.some(choice => isSame(value, choice));
    const union = branches(resolved, root);
    if (union) return union.some(branch => fits(value, branch, root));
    const isInteger = isNumber(value) && (value instanceof ExactNumber ? /^-?\d+(\.0+)?$/.test(value.text) : Number.isInteger(value));
    const types = { object: isObject(value), array: Array.isArray(value), string: typeof value === "string", number: isNumber(value),
        integer: isInteger, boolean: typeof value === "boolean", null: value === null };
    if (resolved.type !== undefined && !types[resolved.type]) return false;
    if (types.array) {
        const prefix = resolved.prefixItems ?? [];
        if (value.length < (resolved.minItems ?? 0) || value.length > (resolved.maxItems ?? Infinity)) return false;
        return value.every((item, index) => {
            const schema = prefix[index] ?? resolved.items;
            return schema === undefined || fits(item, schema, root);
        });
    }
    if (!types.object) return true;
    return (resolved.required ?? []).every(name => Object.hasOwn(value, name)) && Object.entries(value).every(([name, item]) => {
        const property = own(resolved.properties, name) ?? (resolved.patternProperties ? undefined : resolved.additionalProperties);
        return property === undefined || property === true || (!isNever(property) && fits(item, property, root));
    });
}
