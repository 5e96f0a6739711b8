// Fields: one control for each kind of value that is not made of others. Each field has `element`, `read`, `write`, `child` and `focus`.
// A field never judges a value. What is typed is sent, and the server says what is wrong: that is what a model would read.

const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

const EXAMPLES = {
    "date-time": "2026-07-28T09:30:00Z", time: "09:30:00Z", duration: "PT15M", email: "ann@example.com", uuid: "123e4567-e89b-12d3-a456-426614174000",
    uri: "https://example.com/", ipv4: "192.0.2.1", ipv6: "2001:db8::1", hostname: "example.com",
};

/** Creates the field for a schema. `root` has the definitions, `depth` bounds what is shown without being asked for. */
function createField(schema, place) {
    const resolved = resolve(schema, place.root);
    const make = { const: constantField, null: constantField, enum: choiceField, boolean: booleanField, integer: textField, number: textField,
        string: textField, object: objectField, array: listField, union: unionField }[kindOf(resolved, place.root)] ?? anyField;
    return make(resolved, place);
}

/** A field whose control is one element. `read` and `write` convert. */
function simpleField(control, place, read, write) {
    control.id = place.id;
    return { element: control, control, read, write, isEmpty: () => control.value === "", child: () => undefined, focus: () => control.focus() };
}

function constantField(schema, place) {
    const value = "const" in schema ? schema.const : null;
    const text = el("span", { class: "constant" }, display(value));
    return simpleField(text, place, () => value, () => {});
}

/** Texts and numbers. A text area, because a line cannot hold every text. */
function textField(schema, place) {
    const isText = schema.type === "string";
    const isLine = !isText || schema.format || schema.pattern || schema.maxLength <= 100;
    const example = schema.examples?.[0];
    const shared = {
        ...EXACT, oninput: place.changed, class: "text",
        placeholder: example !== undefined ? `such as ${display(example)}` : EXAMPLES[schema.format],
    };
    const type = schema.format === "date" ? "date" : schema.format === "password" || schema.writeOnly ? "password" : "text";
    const control = isLine
        ? el("input", { ...shared, type, inputmode: isText ? undefined : schema.type === "integer" && !(schema.minimum < 0) ? "numeric" : "text" })
        : el("textarea", { ...shared, rows: "1" });
    const field = simpleField(control, place, () => {
        const text = control.value;
        if (isText) return text;
        if (text.trim() === "") return undefined;
        return NUMBER.test(text.trim()) ? parseJson(text) : text;
    }, value => {
        // A browser logs a warning about a value that is not a date.
        const isShown = type !== "date" || /^\d{4}-\d\d-\d\d$/.test(display(value));
        control.value = isShown ? display(value) : "";
    });
    // Half a date is no value yet.
    field.isEmpty = () => control.value === "" && !control.validity.badInput;
    if (schema.contentEncoding !== "base64") return field;
    const file = el("input", { type: "file", "aria-label": "Load the bytes of a file", onchange: async () => {
        const bytes = new Uint8Array(await file.files[0].arrayBuffer());
        control.value = btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(""));
        place.changed();
    } });
    return { ...field, element: el("div", { class: "stack" }, control, file) };
}

/** Any JSON. A text that is not JSON is sent as a string. */
function anyField(schema, place) {
    const control = el("textarea", { class: "text code", rows: "2", ...EXACT, oninput: place.changed,
        placeholder: "JSON; any other text is sent as a string" });
    return simpleField(control, place, () => {
        if (control.value.trim() === "") return undefined;
        try {
            return parseJson(control.value);
        } catch {
            return control.value;
        }
    }, value => { control.value = toJson(value, "  "); });
}

function choiceField(schema, place) {
    const list = choices(schema, place.root);
    const control = el("select", { onchange: place.changed }, el("option", { value: "" }, "Choose…"),
        list.map(([, text, more], index) => el("option", { value: String(index) }, more ? `${text} – ${more}` : text)));
    return simpleField(control, place, () => (control.value === "" ? undefined : list[control.value][0]), value => {
        const index = list.findIndex(([choice]) => isSame(choice, value));
        control.value = index < 0 ? "" : String(index);
    });
}

function booleanField(schema, place) {
    const name = newId();
    const option = value => el("input", { type: "radio", name, value: String(value), onchange: place.changed });
    const [yes, no] = [option(true), option(false)];
    // Nothing is chosen where nothing is sent.
    no.checked = place.required !== false;
    const element = el("div", { class: "switch", role: "radiogroup", id: place.id, "aria-labelledby": place.labelId },
        el("label", {}, yes, "true"), el("label", {}, no, "false"));
    return {
        element, control: element, child: () => undefined,
        read: () => (yes.checked ? true : no.checked ? false : undefined),
        isEmpty: () => !yes.checked && !no.checked,
        write: value => { (value === true ? yes : no).checked = true; },
        focus: () => (no.checked ? no : yes).focus(),
    };
}
