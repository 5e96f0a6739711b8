// Links to calls, and the calls of this session. They are only in the memory of the page.

/** The number of calls that are remembered. */
const MAX_CALLS = 50;

/** Returns arguments without what was typed into a field for a password: a link may be sent to others. */
function withoutSecrets(value, schema, root) {
    const { format, writeOnly, properties, additionalProperties, items, prefixItems, ...rest } = resolve(schema, root);
    if (format === "password" || writeOnly === true) return undefined;
    const union = rest.anyOf ?? rest.oneOf;
    if (Array.isArray(union)) value = union.reduce((kept, branch) => (fits(kept, branch, root) ? withoutSecrets(kept, branch, root) : kept), value);
    if (Array.isArray(value)) return value.map((item, index) => withoutSecrets(item, prefixItems?.[index] ?? items, root) ?? null);
    if (!isObject(value)) return value;
    const entries = Object.entries(value).map(([name, item]) => [name, withoutSecrets(item, own(properties, name) ?? additionalProperties, root)]);
    return Object.fromEntries(entries.filter(([, item]) => item !== undefined));
}

const argumentsText = ({ definition: { inputSchema } }, callArguments) => toJson(withoutSecrets(callArguments, inputSchema, inputSchema));

/** The fragment that opens a tool, with its form filled, and shows a task if it has one. */
function linkTo(tool, callArguments, task) {
    return ["#/" + encodeURIComponent(tool.definition.name), encodeURIComponent(argumentsText(tool, callArguments)), ...(task ? [task] : [])].join("?");
}

const calls = el("ul", { class: "plain calls" });
const callsCard = el("section", { class: "card", "aria-labelledby": "calls", hidden: true },
    el("div", { class: "card-head" }, el("h2", { id: "calls" }, "Calls"), el("span", { class: "note" }, "until you close or reload the page")), calls);

/** The entries of tasks, by their ids. */
const taskEntries = new Map();

/** Remembers a call. Its link fills the form with the arguments again, or shows its task. Returns a function that sets the verdict. */
function remember(tool, callArguments, task) {
    if (taskEntries.has(task)) return taskEntries.get(task);
    const href = linkTo(tool, callArguments, task);
    const verdict = el("span");
    calls.prepend(el("li", {}, verdict, el("a", { href, onclick: () => {
        const view = views.get(tool.definition.name);
        view.filled = undefined;
        // The browser reports only a fragment that changes.
        if (location.hash === href) dispatchEvent(new Event("hashchange"));
    } }, titleOf(tool)), el("code", {}, short(argumentsText(tool, callArguments), 100)), el("span", { class: "note" }, new Date().toLocaleTimeString())));
    while (calls.children.length > MAX_CALLS) calls.lastChild.remove();
    callsCard.hidden = false;
    const set = (text, kind) => verdict.replaceChildren(badge(text, kind));
    if (task) taskEntries.set(task, set);
    return set;
}
