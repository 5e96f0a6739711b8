// The view of one tool: what it is, its form, its calls.

const HINTS = [
    ["readOnlyHint", "read only", "good"], ["destructiveHint", "destructive", "bad"], ["idempotentHint", "idempotent"], ["openWorldHint", "open world"],
];

const titleOf = ({ definition }) => definition.title ?? definition.name;

const isDestructive = ({ definition }) => definition.annotations?.destructiveHint === true;

function badges({ definition, tags, scopes, questions }) {
    const hints = HINTS.filter(([key]) => definition.annotations?.[key] === true).map(([, text, kind]) => badge(text, kind));
    return [
        ...(definition.description?.startsWith("[DEPRECATED") ? [badge("deprecated", "bad")] : []), ...hints,
        ...(questions.length > 0 ? [badge("asks its user", "accent")] : []),
        ...tags.map(tag => badge(`#${tag}`)), ...scopes.map(scope => badge(`scope ${scope}`)),
    ];
}

const INEXACT = "The form cannot show these arguments exactly. They can be sent from here.";

/** Why a call is no longer shown. */
const [CANCELLED, LEFT] = ["Cancelled", "Left"].map(text => new DOMException(text, "AbortError"));

/** Creates the view of a tool. It keeps what was typed while another tool is shown. */
function toolView(tool, overview) {
    const { definition } = tool;
    const schema = definition.inputSchema;
    const version = overview.protocolVersion;
    let controller, current, taskId;
    const request = requestPanel(() => paramsOf(tool, currentArguments() ?? {}, version));
    const changed = () => request.refresh();
    const form = createField(schema, { root: schema, depth: 0, changed, id: newId(), labelId: "arguments", required: true });
    const questionForms = new Map();

    // The same arguments as a form and as JSON. The one that is shown is sent.
    const text = el("textarea", { class: "text code", rows: "10", ...EXACT, "aria-label": "Arguments as JSON",
        "aria-describedby": "json-error", oninput: () => { jsonError(""); changed(); } });
    const textError = el("p", { class: "error", id: "json-error", hidden: true });
    const jsonError = message => {
        setText(textError, message);
        textError.hidden = message === "";
    };
    let isText = false;
    const editor = tabs("Arguments as", [["Form", () => form.element], ["JSON", () => el("div", { class: "stack" }, text, textError)]], index => {
        if ((index === 1) === isText) return true;
        if (index === 1) {
            if (refuse(form.element)) return false;
            text.value = toJson(form.read(), "  ");
            jsonError("");
        } else {
            const value = currentArguments();
            if (value === undefined) return false;
            form.write(value);
            if (!isSame(form.read(), value)) {
                jsonError(INEXACT);
                return false;
            }
        }
        isText = index === 1;
        changed();
        return true;
    });
    const currentArguments = () => {
        if (!isText) return form.read();
        try {
            return parseTyped(text.value.trim() || "{}");
        } catch (error) {
            jsonError(`This is not JSON: ${error.message}`);
            return undefined;
        }
    };
    /** Shows arguments, as JSON if the form cannot. */
    const fill = json => {
        text.value = json;
        isText = true;
        const value = currentArguments();
        if (value === undefined) return editor.select(1);
        form.write(value);
        const isExact = isSame(form.read(), value);
        text.value = toJson(value, "  ");
        isText = !isExact;
        editor.select(isExact ? 0 : 1);
        jsonError(isExact ? "" : INEXACT);
        changed();
    };

    const result = el("div", { class: "outcome" }, el("p", { class: "note" }, "Call the tool to see its result here."));
    const call = el("button", { class: isDestructive(tool) ? "primary danger" : "primary" }, "Call");
    const ending = (text, reason) => el("button", { type: "button", hidden: true, onclick: () => controller?.abort(reason) }, text);
    const [cancel, leave] = [ending("Cancel", CANCELLED), ending("Leave it running", LEFT)];
    const examples = schema.examples ?? [];
    const element = el("article", { class: "tool" },
        el("header", {}, el("h1", { tabindex: "-1" }, titleOf(tool)),
            el("p", { class: "badges" }, el("code", { class: "tool-name" }, definition.name), badges(tool)),
            prose(definition.description ?? "")),
        el("div", { class: "workplace" },
            el("section", { class: "card", "aria-labelledby": "arguments" },
                el("form", { novalidate: true, onsubmit: event => { event.preventDefault(); run(); }, onkeydown: event => {
                    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) run();
                } },
                el("div", { class: "card-head" }, el("h2", { id: "arguments" }, "Arguments"),
                    examples.length > 0 && el("div", { class: "examples" }, examples.map((example, index) =>
                        smallButton(examples.length > 1 ? `Example ${index + 1}` : "Example", () => fill(toJson(example)))))),
                editor.element,
                el("div", { class: "buttons" }, call, cancel, leave, copyButton(() => location.origin + location.pathname + linkTo(tool, currentArguments() ?? {}), "Copy link"),
                    el("span", { class: "note keys" }, "Ctrl + Enter calls"))),
                request.element),
            el("section", { class: "card", "aria-label": "Result" }, el("div", { class: "card-head" }, el("h2", {}, "Result")), result)),
        aboutPanel(tool, overview));

    /** Calls the tool with the arguments of the form, or with others to get the next page, which is shown below. */
    function run(next) {
        if (controller) return;
        clearErrors(form);
        if (!next && !isText && refuse(form.element)) return;
        const callArguments = next ?? currentArguments();
        if (callArguments === undefined) return;
        current = attend(callArguments, next !== undefined, (signal, report) => callTool(paramsOf(tool, callArguments, version), signal, report,
            (requests, signal) => askAll(requests, signal, tool, questionForms)));
    }

    /** Shows a task, instead of the one that is shown now. */
    async function resume(id) {
        if (controller && (!taskId || taskId === id)) return;
        controller?.abort(LEFT);
        await current;
        if (controller) return;
        current = attend(currentArguments() ?? {}, false, () => ({ task: { taskId: id } }));
    }

    /** Shows a call while it runs, and then its outcome. */
    async function attend(callArguments, isNext, start) {
        controller = new AbortController();
        const { signal } = controller;
        call.setAttribute("aria-disabled", "true");
        cancel.hidden = false;
        const running = progressPanel();
        // On a phone the result is below the form.
        const shown = isNext ? [...result.children].filter(child => !child.classList.contains("more")) : [];
        const show = (...parts) => {
            result.replaceChildren(...shown, ...parts);
            (isNext ? parts[0] : result).scrollIntoView({ block: "nearest" });
        };
        show(running.element);
        announce("The call runs");
        let judge;
        const end = (text, kind, message) => {
            announce(message);
            (judge ?? remember(tool, callArguments))(text, kind);
        };
        try {
            let event = await start(signal, running.report);
            if (event.task) {
                taskId = event.task.taskId;
                judge = remember(tool, callArguments, taskId);
                judge("Running", "info");
                // A page that is loaded again shows the task.
                view.filled = linkTo(tool, callArguments, taskId);
                if (document.contains(element)) history.replaceState(null, "", view.filled);
                leave.hidden = false;
                running.isTask(taskId);
                const task = await follow(taskId, signal, running.say);
                if (task.status === "cancelled") throw CANCELLED;
                if (task.status === "failed") throw new RequestError(`${task.error.message} (code ${task.error.code})`);
                event = { task, mcp: task.result, errors: [] };
            }
            show(...outcome(event, version), ...moreButton(callArguments, event));
            const errors = isText ? [] : showErrors(form, event.errors);
            if (isSuccess(event)) end("Success", "good", "Success");
            else end("Error", "bad", `Error: ${event.mcp.content[0]?.text}`);
            errors[0]?.focus();
        } catch (error) {
            // A stream that is aborted fails with a copy of the reason.
            const reason = signal.reason ?? error;
            const [text, kind, note] = reason === CANCELLED ? ["Cancelled", "", "The call was cancelled. What the tool has done so far is not undone, and a part of it may still run."]
                : reason === LEFT ? ["Running", "info", "The task continues without this page. The list of calls has a link that shows it again."]
                : ["No result", "bad", error.message];
            show(el("p", { class: "verdict" }, el("strong", { class: kind }, text), taskId && identity("task", taskId)), el("p", {}, note));
            end(text, kind, kind === "bad" ? note : text);
            if (signal.reason === CANCELLED && taskId) post(`?cancel=${taskId}`).catch(() => {});
        } finally {
            running.end();
            if ([cancel, leave].includes(document.activeElement)) call.focus();
            controller = taskId = undefined;
            call.removeAttribute("aria-disabled");
            cancel.hidden = leave.hidden = true;
        }
    }
    const moreButton = (callArguments, { next_cursor: cursor }) => (cursor === undefined || tool.cursor === undefined ? [] : [
        el("button", { type: "button", class: "more", onclick: () => run({ ...callArguments, [tool.cursor]: cursor }) }, "More"),
    ]);
    const view = { element, fill, resume };
    return view;
}

/** Returns true if the form cannot send what was typed, such as two entries with one name. Marks all these fields. */
function refuse(element) {
    const refused = [...element.querySelectorAll("input, textarea")].filter(control => !control.closest(".unsent") && !control.checkValidity());
    refused[0]?.focus();
    return refused.length > 0;
}

const pointerTo = name => `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;

/** Shows errors at their fields. Returns the rows that show one. */
function showErrors(form, errors) {
    const rows = [];
    for (const { pointer, message } of errors) {
        const tokens = pointer.split("/").slice(1).map(tokenName);
        let found = form;
        let rest = tokens.length;
        for (const token of tokens) {
            const next = found.child(token);
            if (!next) break;
            found = next;
            rest--;
        }
        if (!found.setError) continue;
        found.setError(rest > 0 ? `${tokens.slice(-rest).join(".")}: ${message}` : message);
        rows.push(found);
    }
    return rows;
}

function clearErrors(form) {
    form.element.querySelectorAll(".error:not([hidden])").forEach(error => { error.hidden = true; error.textContent = ""; });
    form.element.querySelectorAll("[aria-invalid]").forEach(control => control.removeAttribute("aria-invalid"));
    form.element.querySelectorAll(".invalid").forEach(row => row.classList.remove("invalid"));
}

/** The progress of a running call. */
function progressPanel() {
    const started = performance.now();
    const time = el("span", { class: "note" }, "0.0 s");
    const timer = setInterval(() => { time.textContent = `${((performance.now() - started) / 1000).toFixed(1)} s`; }, 100);
    const bar = el("progress", { "aria-label": "Progress of the call" });
    const message = el("p", { class: "note" });
    const verdict = el("p", { class: "verdict" }, el("strong", {}, "Running"), time);
    const element = el("div", { class: "running stack" }, verdict, bar, message);
    let said;
    const say = text => {
        if (text === said) return;
        said = text;
        setText(message, text);
        announce(text);
    };
    return {
        element, say,
        isTask: id => {
            // Only the message of a task is known.
            bar.removeAttribute("value");
            verdict.append(identity("task", id));
            element.append(el("p", { class: "note" }, "This call is a task: it continues if you close the page. The address of this page shows it again."));
        },
        report: ({ done, total, message: text }) => {
            if (total !== null) {
                bar.max = Number(total);
                bar.value = Math.min(Number(done), Number(total));
            }
            const amount = total === null ? `${Number(done)}` : `${Number(done)} of ${Number(total)}`;
            say(text ? `${text} (${amount})` : amount);
        },
        end: () => clearInterval(timer),
    };
}

/** The request that the form would send, for other programs. */
function requestPanel(params) {
    const forms = [
        ["This page", () => {
            const { name, arguments: sent } = params();
            return curl(quoted(new URL("?call", location.href).href), { name, arguments: sent });
        }],
        ["MCP", () => toJson({ jsonrpc: "2.0", id: 1, method: "tools/call", params: params() }, "  ")],
        ["Plain HTTP", () => curl(`"$TOOLS/${encodeURIComponent(params().name)}"`, params().arguments), "`$TOOLS` is the address of `http::PlainHttp` on the server."],
        ["Open Tool Calling", () => toJson({ $schema: "urn:oxp:1.0", request: { tool_id: params().name, input: params().arguments } }, "  ")],
    ];
    const pres = forms.map(([label]) => el("pre", { tabindex: "0", role: "group", "aria-label": `Request, ${label}` }));
    const panels = forms.map(([label, text, note], index) => [label, () => el("div", { class: "code-block" }, pres[index], copyButton(text),
        note && el("p", { class: "note" }, inline(note)))]);
    const refresh = () => {
        if (element.open) forms.forEach(([, text], index) => setText(pres[index], short(text(), MAX_TEXT)));
    };
    const element = el("details", { class: "request", ontoggle: refresh }, el("summary", {}, "Request"),
        el("p", { class: "note" }, "Copy as"), tabs("Copy as", panels).element);
    return { element, refresh };
}

/** Definition, findings, size. */
function aboutPanel(tool, overview) {
    const { definition, cost, questions } = tool;
    const found = overview.findings.filter(finding => finding.tool === definition.name);
    const panels = [
        ...(questions.length > 0 ? [["Questions", () => questionList(questions)]] : []),
        ...(definition.outputSchema ? [["Result schema", () => code(toJson(definition.outputSchema, "  "), "Result schema")]] : []),
        ["Definition", () => code(toJson(definition, "  "), "Definition")],
        [`Findings (${grouped(found).length})`, () => findingList(found)],
    ];
    return el("section", { class: "card", "aria-label": "About the tool" },
        el("div", { class: "card-head" }, el("h2", {}, "About"), cost && el("span", { class: "note" }, `${decimal(cost.bytes)} bytes for a model`)),
        tabs("About the tool", panels).element);
}

function questionList(questions) {
    return el("ul", { class: "plain" }, questions.map(({ key, consent, optional, schema }) => el("li", {}, el("code", {}, key), " ",
        consent ? "asks for consent" : `asks for ${Object.keys(schema.properties).join(", ")}`, optional ? "; the tool decides what no answer means" : "; the tool runs only with an answer")));
}

/** From the worst on: what a client does, and the colour of it. */
const SEVERITIES = { "all refused": ["refuses all tools", "bad"], refused: ["refuses the tool", "bad"], lost: ["drops a part", "info"], advice: ["advice", ""] };

/** The same finding for several clients and places is one line. */
function grouped(findings) {
    const rank = ({ severity }) => Object.keys(SEVERITIES).indexOf(severity);
    const groups = Map.groupBy(findings.toSorted((a, b) => rank(a) - rank(b)), ({ tool, severity, problem, help }) => toJson([tool, severity, problem, help]));
    return [...groups.values()];
}

function findingList(findings, showTool) {
    if (findings.length === 0) return el("p", { class: "note" }, "No known client refuses or drops anything.");
    return el("ul", { class: "plain findings" }, grouped(findings).map(group => {
        const [{ tool, severity, problem, help }] = group;
        const each = key => [...new Set(group.map(finding => finding[key]).filter(Boolean))];
        const [clients, places] = [each("client"), each("place")];
        return el("li", {}, badge(...SEVERITIES[severity]), showTool && tool && el("a", { href: `#/${encodeURIComponent(tool)}` }, tool),
            places.length > 0 && el("code", {}, places.join(", ")), el("span", {}, inline(`${problem}${help ? `; ${help}` : ""}`)), clients.length > 0 && el("span", { class: "note" }, clients.join(", ")));
    }));
}
