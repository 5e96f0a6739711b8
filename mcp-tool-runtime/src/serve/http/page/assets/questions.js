// The questions of a tool, as dialogs. Closing a dialog cancels the question. It never counts as consent.

/** Asks one question after another. The first that is not answered ends the round: the tool will not run. */
async function askAll(requests, signal) {
    const responses = emptyObject();
    const all = Object.entries(requests);
    for (const [index, [key, request]] of all.entries()) {
        const response = await askOne(key, request.params, `Question ${index + 1} of ${all.length}`, signal);
        responses[key] = response;
        if (response.action !== "accept") break;
    }
    return responses;
}

function askOne(key, params, place, signal) {
    return new Promise((resolve_, reject) => {
        const schema = params.requestedSchema;
        const isConsent = isSame(Object.keys(schema.properties), ["confirm"]) && schema.properties.confirm.type === "boolean";
        const form = isConsent ? undefined : createField(schema, { root: schema, depth: 0, changed: () => {}, forQuestion: true });
        const title = newId();
        const dialog = el("dialog", { "aria-labelledby": title, class: "question" },
            el("form", { method: "dialog", novalidate: true, onsubmit: event => {
                event.preventDefault();
                end({ action: "accept", content: isConsent ? { confirm: true } : form.read() });
            } },
            el("p", { class: "eyebrow" }, place),
            el("h2", { id: title }, params.message),
            form?.element,
            el("div", { class: "buttons" },
                el("button", { class: "primary" }, isConsent ? schema.properties.confirm.title ?? "Yes" : "Answer"),
                // Enter must not agree by accident, so the focus is on the button that does not.
                el("button", { type: "button", autofocus: isConsent, onclick: () => end({ action: "decline" }) }, isConsent ? "No" : "Decline"),
                el("button", { type: "button", onclick: () => end({ action: "cancel" }) }, "Close without an answer"))));
        const end = response => {
            signal.removeEventListener("abort", abort);
            dialog.close();
            dialog.remove();
            if (response) resolve_(response);
            else reject(signal.reason);
        };
        const abort = () => end(undefined);
        dialog.addEventListener("cancel", event => { event.preventDefault(); end({ action: "cancel" }); });
        signal.addEventListener("abort", abort);
        document.body.append(dialog);
        dialog.showModal();
        form?.focus();
        announce(`The tool asks: ${params.message}`);
    });
}
