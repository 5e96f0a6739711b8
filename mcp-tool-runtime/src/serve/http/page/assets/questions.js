// The questions of a tool, as dialogs. Closing a dialog cancels the question. It never counts as consent.

/** Comes before what was wrong with the last answer, in the message of a question. A line is about one property. */
const AGAIN = "\n\nThe last answer was not valid:\n";

/** Asks one question after another. The first that is not answered ends the round: the tool will not run. `forms` keeps what was typed. */
async function askAll(requests, signal, tool, forms) {
    const responses = emptyObject();
    const all = Object.entries(requests);
    for (const [index, [key, request]] of all.entries()) {
        const place = `${titleOf(tool)} asks${all.length > 1 ? `: question ${index + 1} of ${all.length}` : ""}`;
        const response = await askOne(key, request.params, place, signal, tool, forms);
        responses[key] = response;
        if (response.action !== "accept") break;
    }
    return responses;
}

/** Returns the form of a question. If an earlier question had the same form, the answer to it is still there. */
function questionForm(key, schema, forms) {
    const earlier = forms.get(key);
    if (earlier && isSame(earlier.schema, schema)) {
        clearErrors(earlier.form);
        return earlier.form;
    }
    const form = createField(schema, { root: schema, depth: 0, changed: () => {}, forQuestion: true });
    forms.set(key, { schema, form });
    return form;
}

/** Returns the message of a question, the errors of its fields, and all other errors of the last answer. */
function splitMessage({ message, requestedSchema: { properties } }) {
    const at = message.lastIndexOf(AGAIN);
    if (at < 0) return { message, errors: [], others: [] };
    const [errors, others] = [[], []];
    for (const line of message.slice(at + AGAIN.length).split("\n")) {
        const name = Object.keys(properties).find(name => line.startsWith(`${name}: `) || line.startsWith(`${name}[`));
        if (name === undefined) others.push(line);
        else errors.push({ pointer: pointerTo(name), message: line.slice(name.length).replace(/^: /, "") });
    }
    return { message: message.slice(0, at), errors, others };
}

function askOne(key, params, place, signal, tool, forms) {
    return new Promise((resolve_, reject) => {
        const schema = params.requestedSchema;
        const isConsent = isSame(Object.keys(schema.properties), ["confirm"]) && schema.properties.confirm.type === "boolean";
        const form = isConsent ? undefined : questionForm(key, schema, forms);
        const { message, errors, others } = splitMessage(params);
        const isAgain = errors.length + others.length > 0;
        const title = newId();
        const end = response => {
            signal.removeEventListener("abort", abort);
            close();
            if (response) resolve_(response);
            else reject(signal.reason);
        };
        const abort = () => end(undefined);
        const submit = () => {
            if (form && refuse(form.element)) return;
            end({ action: "accept", content: isConsent ? { confirm: true } : form.read() });
        };
        const cancel = () => end({ action: "cancel" });
        const close = openDialog(title, submit, cancel, el("p", { class: "eyebrow" }, place),
            el("h2", { id: title }, message),
            isAgain && el("p", { class: "error", role: "alert" }, ["The answer was not valid.", ...others].join("\n")),
            form?.element,
            el("div", { class: "buttons" },
                el("button", { class: isConsent && isDestructive(tool) ? "primary danger" : "primary" },
                    isConsent ? schema.properties.confirm.title ?? `Yes: ${titleOf(tool)}` : "Answer"),
                // Enter must not agree by accident, so the focus is on the button that does not.
                el("button", { type: "button", autofocus: isConsent, onclick: () => end({ action: "decline" }) }, isConsent ? "No" : "Decline"),
                el("button", { type: "button", onclick: cancel }, "Close without an answer")));
        signal.addEventListener("abort", abort);
        if (form) (showErrors(form, errors)[0] ?? form).focus();
        announce(`The tool asks: ${params.message}`);
    });
}
