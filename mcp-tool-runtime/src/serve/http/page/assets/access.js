// Requests to the server, with a token where the server wants one.

/** An error of the request, not of the tool. */
class RequestError extends Error {}

/** The token that a person has entered. It is only in this variable: not in the storage of the browser, not in an address, not in the document. */
let token;

/** The dialog that asks for a token, while it is open. */
let asking;

/** Sends a request of the page. While the server answers 401, a person is asked for a token. */
async function post(query, options = {}) {
    for (;;) {
        const sent = token;
        const authorization = sent === undefined ? {} : { authorization: `Bearer ${sent}` };
        const response = await fetch(query, {
            method: "POST", mode: "same-origin", redirect: "error", ...options, headers: { ...options.headers, ...authorization },
        }).catch(error => {
            throw error instanceof TypeError ? new RequestError("The server does not answer. It may not be running, or your login may have expired.") : error;
        });
        if (response.status !== 401) return response;
        // Another request may have got a new token meanwhile.
        if (sent !== token) continue;
        asking ??= askToken(sent !== undefined).finally(() => { asking = undefined; });
        token = await asking;
    }
}

function askToken(isRefused) {
    return new Promise((resolve_, reject) => {
        const [title, id, note, problem] = [newId(), newId(), newId(), newId()];
        const input = el("input", { id, class: "text", type: "password", autocomplete: "off", autocapitalize: "off", spellcheck: "false",
            "aria-describedby": `${note} ${problem}` });
        const error = el("p", { class: "error", id: problem, role: "alert" }, isRefused && "The server refused this token.");
        const dialog = el("dialog", { "aria-labelledby": title, class: "question" },
            el("form", { method: "dialog", novalidate: true, onsubmit: event => {
                event.preventDefault();
                const entered = input.value.trim().replace(/^bearer\s+/i, "");
                // What a header can have.
                if (/^[\x21-\x7e]+$/.test(entered)) end(() => resolve_(entered));
                else error.textContent = "This is not a token: it must be letters, digits and signs without blanks.";
            } },
            el("h2", { id: title }, "The server wants a token"),
            el("label", { for: id }, "Token"), input, error,
            el("p", { class: "note", id: note }, "The page keeps it until you close or reload the page, and sends it to this server only."),
            el("div", { class: "buttons" },
                el("button", { class: "primary" }, "Continue"),
                el("button", { type: "button", onclick: () => cancel() }, "Cancel"))));
        const end = settle => {
            dialog.close();
            dialog.remove();
            settle();
        };
        const cancel = () => end(() => reject(new RequestError("The server wants a token, and none was entered.")));
        dialog.addEventListener("cancel", event => { event.preventDefault(); cancel(); });
        document.body.append(dialog);
        dialog.showModal();
        input.focus();
        announce(isRefused ? "The server refused this token." : "The server wants a token");
    });
}
