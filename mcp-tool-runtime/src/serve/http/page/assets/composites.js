// Fields that are made of fields: objects, lists, unions, and the row of a label, a control and an error around each.

/** The levels that a form shows before it waits to be asked: a schema may contain itself. */
const EAGER_DEPTH = 4;

const COMPOSITE = ["object", "array", "union"];

/** Returns the place of a field inside another one. */
const inside = (place, changed = place.changed) => ({ root: place.root, depth: place.depth + 1, changed, forQuestion: place.forQuestion });

/**
 * A property or an item: label, description, control and error. An optional one has a check box that says in a word whether the value is sent.
 * Whoever types into the control checks it.
 */
function row(name, schema, outer, { required, isItem, remove } = {}) {
    const resolved = resolve(schema, outer.root);
    const kind = kindOf(resolved, outer.root);
    const isComposite = COMPOSITE.includes(kind);
    const [id, labelId, hintId, errorId, wordId] = [newId(), newId(), newId(), newId(), newId()];
    const text = (!isItem && schema.title) || name;
    const sent = required ? undefined : el("input", { type: "checkbox", "aria-label": `Send ${text}`, "aria-describedby": wordId });
    const word = el("span", { id: wordId });
    const unsent = resolved.default === undefined ? "not sent" : `default: ${short(display(resolved.default).replace(/^(\[\]|\{\}|)$/, "empty"), 40)}`;
    let field;
    const changed = () => {
        if (sent && field) sent.checked = isComposite || !field.isEmpty?.();
        mark();
        outer.changed();
    };
    const error = el("p", { class: "error", id: errorId, hidden: true });
    const body = el("div", { class: "control" });
    const describedBy = [resolved.description && hintId, errorId].filter(Boolean).join(" ");
    const open = () => {
        if (field) return;
        field = createField(resolved, { ...inside(outer, changed), id, labelId, required });
        field.control?.setAttribute("aria-describedby", describedBy);
        if (required && !["const", "null"].includes(kind)) field.control?.setAttribute("aria-required", "true");
        body.replaceChildren(field.element);
        // What the form itself refuses to send.
        field.control?.addEventListener("invalid", event => setError(event.target.validationMessage));
        if (resolved.default !== undefined) field.write(resolved.default);
    };
    const setError = text => {
        setText(error, text);
        error.hidden = text === "";
        if (text) field?.control?.setAttribute("aria-invalid", "true");
        else field?.control?.removeAttribute("aria-invalid");
        element.classList.toggle("invalid", text !== "");
    };
    const mark = () => {
        if (sent) {
            if (sent.checked) open();
            if (isComposite) body.hidden = !sent.checked;
            setText(word, !sent.checked ? unsent : field.read() === undefined ? "no value yet" : "sent");
            element.classList.toggle("unsent", !sent.checked);
        }
        setError("");
    };
    sent?.addEventListener("change", () => {
        mark();
        outer.changed();
    });
    const about = [describe(resolved, outer.root), required && !isItem && "required"].filter(Boolean).join(", ");
    const label = el(isComposite || kind === "boolean" || kind === "const" ? "span" : "label", { class: text === name ? "name" : "name titled", id: labelId }, text);
    if (label.localName === "label") label.setAttribute("for", id);
    const head = el("div", { class: "head" }, label, text !== name && el("code", { class: "type" }, name), el("span", { class: "type" }, about),
        sent && el("label", { class: "sent" }, sent, word), remove);
    const hint = resolved.description ? prose(resolved.description, { class: "hint", id: hintId }) : undefined;
    const element = el("div", isComposite ? { class: "row composite", role: "group", "aria-labelledby": labelId } : { class: "row" }, head, hint, body, error);
    if (required || !isComposite) open();
    mark();
    return {
        element, setError,
        read: () => (sent && !sent.checked ? undefined : field?.read()),
        write: value => {
            const isPresent = value !== undefined;
            if (sent) sent.checked = isPresent;
            if (isPresent) {
                open();
                field.write(value);
            }
            mark();
        },
        child: token => (field && (!sent || sent.checked) ? field.child(token) : undefined),
        focus: () => { (sent && (!sent.checked || !field) ? sent : field).focus(); },
        rename: text => setText(label, text),
    };
}

/** An object: a row for each property, and rows for further entries if the schema admits some. */
function objectField(schema, place) {
    const required = new Set(schema.required ?? []);
    const rows = new Map(Object.entries(schema.properties ?? {}).map(([name, property]) =>
        [name, row(name, property, place, { required: required.has(name) })]));
    if (place.isBranch) {
        // The choice of the branch has said it.
        for (const [name, row] of rows) row.element.hidden = "const" in resolve(schema.properties[name], place.root) && required.has(name);
    }
    const further = furtherEntries(schema);
    const entries = isNever(further) ? undefined : entriesField(further === true ? {} : further, place, rows);
    const element = el("div", { class: "fields" }, [...rows.values()].map(row => row.element), entries?.element);
    if (rows.size === 0 && !entries && !place.isBranch) element.append(el("p", { class: "note" }, place.depth === 0 ? "This tool takes no arguments." : "No properties."));
    return {
        element,
        read: () => {
            const object = emptyObject();
            for (const [name, row] of rows) {
                const value = row.read();
                if (value !== undefined) object[name] = value;
            }
            return entries ? Object.assign(object, entries.read()) : object;
        },
        write: value => {
            for (const [name, row] of rows) row.write(own(value, name));
            entries?.write(isObject(value) ? Object.entries(value).filter(([name]) => !rows.has(name)) : []);
        },
        child: token => rows.get(token) ?? entries?.child(token),
        focus: () => ([...rows.values()][0] ?? entries)?.focus(),
    };
}

/** Returns the schema of entries that have no row of their own, or `false`. A map with keys of numbers has a pattern for its names. */
function furtherEntries(schema) {
    const patterns = Object.values(schema.patternProperties ?? {});
    const others = schema.additionalProperties ?? (schema.properties === undefined && patterns.length === 0);
    if (patterns.length === 0) return others;
    return patterns.length === 1 && isNever(others) ? patterns[0] : {};
}

/** The further entries of an object: each has a name and a value. The names are not those of `rows`. */
function entriesField(schema, place, rows) {
    let entries = [];
    const list = el("div", { class: "items" });
    const changed = () => {
        for (const { name, error } of entries) {
            const isTwice = rows.has(name.value) || entries.some(other => other.name !== name && other.name.value === name.value);
            name.setCustomValidity(isTwice ? "Another entry has this name. Only one of them can be sent." : "");
            if (isTwice) continue;
            name.removeAttribute("aria-invalid");
            error.hidden = true;
        }
        place.changed();
    };
    const add = smallButton("Add an entry", () => { create("", undefined).name.focus(); changed(); });
    const create = (key, value) => {
        const remove = smallButton("Remove", () => {
            entries = entries.filter(other => other !== entry);
            element.remove();
            add.focus();
            changed();
        });
        // A text area: the name of an entry may have line breaks.
        const error = el("p", { class: "error", id: newId(), hidden: true });
        const name = el("textarea", { rows: "1", class: "text", "aria-label": "Name of the entry", "aria-describedby": error.id, placeholder: "name",
            ...EXACT, oninput: () => { value_.rename(name.value || "value"); changed(); }, oninvalid: () => {
                setText(error, name.validationMessage);
                error.hidden = false;
                name.setAttribute("aria-invalid", "true");
            } });
        name.value = key;
        const value_ = row(key || "value", schema, place, { required: true, isItem: true });
        const element = el("div", { class: "entry" }, el("div", { class: "entry-name" }, name, remove), error, value_.element);
        const entry = { name, error, row: value_ };
        entries.push(entry);
        list.append(element);
        if (value !== undefined) value_.write(value);
        return entry;
    };
    return {
        element: el("div", { class: "list" }, list, add),
        read: () => {
            const object = emptyObject();
            for (const { name, row } of entries) {
                const value = row.read();
                if (value !== undefined) object[name.value] = value;
            }
            return object;
        },
        write: pairs => {
            entries = [];
            list.replaceChildren();
            pairs.forEach(([key, value]) => create(key, value));
        },
        child: token => entries.find(({ name }) => name.value === token)?.row,
        focus: () => add.focus(),
    };
}

/** A list, or a tuple, whose first items have schemas of their own. */
function listField(schema, place) {
    const prefix = schema.prefixItems ?? [];
    const choice = place.forQuestion && schema.items && kindOf(resolve(schema.items, place.root), place.root) === "enum";
    if (choice) return severalField(resolve(schema.items, place.root), place);
    const isFixed = prefix.length > 0 && (schema.maxItems <= prefix.length || schema.items === false || schema.items === undefined);
    let rows = [];
    const list = el("div", { class: "items" });
    const renumber = () => rows.forEach((row, index) => row.rename(`Item ${index + 1}`));
    const create = value => {
        const index = rows.length;
        const isTuple = index < prefix.length;
        const remove = isTuple || rows.length < (schema.minItems ?? 0) && isFixed ? undefined : smallButton("Remove", () => {
            rows = rows.filter(other => other !== item);
            item.element.remove();
            renumber();
            add.focus();
            place.changed();
        });
        const item = row(`Item ${index + 1}`, isTuple ? prefix[index] : schema.items ?? {}, place, { required: true, isItem: true, remove });
        rows.push(item);
        list.append(item.element);
        if (value !== undefined) item.write(value);
        return item;
    };
    const add = smallButton("Add an item", () => { create().focus(); place.changed(); });
    const fill = () => {
        const count = prefix.length || (place.depth < EAGER_DEPTH ? Math.min(schema.minItems ?? 0, 8) : 0);
        for (let index = 0; index < count; index++) create();
    };
    fill();
    return {
        element: el("div", { class: "list" }, list, isFixed ? undefined : add),
        read: () => rows.map(row => row.read() ?? null),
        write: value => {
            rows = [];
            list.replaceChildren();
            if (Array.isArray(value)) value.forEach(item => create(item));
            for (let index = rows.length; index < prefix.length; index++) create();
        },
        child: token => rows[Number(token)],
        focus: () => (rows[0] ?? add).focus(),
    };
}

/** A choice of several, as questions have it: a check box for each. */
function severalField(schema, place) {
    const boxes = choices(schema, place.root).map(([value, text]) => {
        const box = el("input", { type: "checkbox", onchange: place.changed });
        return { value, box, element: el("label", {}, box, text) };
    });
    return {
        element: el("div", { class: "switch several", role: "group", "aria-labelledby": place.labelId }, boxes.map(box => box.element)),
        read: () => boxes.filter(({ box }) => box.checked).map(({ value }) => value),
        write: values => boxes.forEach(({ value, box }) => { box.checked = Array.isArray(values) && values.some(other => isSame(other, value)); }),
        child: () => undefined,
        focus: () => boxes[0]?.box.focus(),
    };
}

/** One of several schemas: a choice, and the field of the chosen one. */
function unionField(schema, place) {
    const all = branches(schema, place.root);
    let field;
    const body = el("div", { class: "branch" });
    const choose = index => {
        control.value = index === undefined ? "" : String(index);
        field = index === undefined ? undefined : createField(all[index], { ...inside(place), id: newId(), labelId: place.labelId, isBranch: true });
        body.replaceChildren(...(field && "const" in all[index] ? [] : [field?.element].filter(Boolean)));
        field?.control?.setAttribute("aria-labelledby", place.labelId);
    };
    const control = el("select", { id: place.id, "aria-labelledby": place.labelId, onchange: () => {
        const before = field?.read();
        choose(control.value === "" ? undefined : Number(control.value));
        if (isObject(before) && field) field.write({ ...field.read(), ...keepCommon(before, all[control.value]) });
        place.changed();
    } }, el("option", { value: "" }, "Choose…"), all.map((branch, index) => {
        const name = branchName(branch, place.root, index);
        return el("option", { value: String(index) }, branch.description ? `${name} – ${branch.description.split("\n")[0]}` : name);
    }));
    choose(place.depth < EAGER_DEPTH && place.required ? 0 : undefined);
    return {
        element: el("div", { class: "union" }, control, body),
        control,
        read: () => field?.read(),
        write: value => {
            // Branches may overlap. The right one shows the whole value.
            const fitting = [...all.keys()].filter(index => fits(value, all[index], place.root));
            for (const index of fitting) {
                choose(index);
                field.write(value);
                if (isSame(field.read(), value)) return;
            }
            if (fitting.length === 0) choose(undefined);
        },
        child: token => field?.child(token),
        focus: () => control.focus(),
    };
}

/** Returns what another branch can keep: properties that it has, except constants. */
function keepCommon(value, branch) {
    return Object.fromEntries(Object.entries(value).filter(([name]) => {
        const property = own(branch?.properties, name);
        return property !== undefined && !("const" in property);
    }));
}
