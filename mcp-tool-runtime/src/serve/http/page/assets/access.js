// Requests to the server, with a token where the server wants one.

/** An error of the request, not of the tool. */
class RequestError extends Error {}

/** The request may not have reached the server. */
class NoAnswer extends RequestError {}

/** The error of a request that the server refused. */
async function refusal(response, what) {
    const problem = await response.json().catch(() => ({}));
    return new RequestError(`The server refused ${what} with status ${response.status}: ${problem.detail ?? response.statusText}`);
}

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
            throw error instanceof TypeError ? new NoAnswer("The server does not answer. It may not be running, or your login may have expired.") : error;
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
        const input = el("input", { id, class: "text", type: "password", ...EXACT, "aria-describedby": `${note} ${problem}` });
        const error = el("p", { class: "error", id: problem, role: "alert" }, isRefused && "The server refused this token.");
        const submit = () => {
            const entered = input.value.trim().replace(/^bearer\s+/i, "");
            // What a header can have.
            if (!/^[\x21-\x7e]+$/.test(entered)) {
                error.textContent = "This is not a token: it must be letters, digits and signs without blanks.";
                return;
            }
            close();
            resolve_(entered);
        };
        const cancel = () => {
            close();
            reject(new RequestError("The server wants a token, and none was entered."));
        };
        const close = openDialog(title, submit, cancel, el("h2", { id: title }, "The server wants a token"),
            el("label", { for: id }, "Token"), input, error,
            el("p", { class: "note", id: note }, "The page keeps it until you close or reload the page, and sends it to this server only."),
            el("div", { class: "buttons" }, el("button", { class: "primary" }, "Continue"), el("button", { type: "button", onclick: cancel }, "Cancel")));
        input.focus();
        announce(isRefused ? "The server refused this token." : "The server wants a token");
    });
}
