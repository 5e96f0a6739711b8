// The outcome of a call: its value as a tree, its content blocks, its error, and the messages in each protocol.

/** The number of items of a list that are shown at once. */
const MAX_ITEMS = 100;

function leaf(value) {
    const kind = value === null ? "null" : isNumber(value) ? "number" : typeof value;
    return folded(el("span", { class: `value ${kind}` }), toJson(value), visible, 1_500);
}

const isLeaf = value => typeof value !== "object" || value === null || value instanceof ExactNumber || Object.keys(value).length === 0;

/** A foldable tree. The children of a closed node are made when it is opened. */
function tree(value, name, depth = 0) {
    const key = name === undefined ? undefined : el("span", { class: "key" }, name);
    if (isLeaf(value)) return el("div", { class: "node" }, key, ...leaf(value));
    const entries = Object.entries(value);
    const size = Array.isArray(value) ? `[${entries.length}]` : `{${entries.length}}`;
    const children = el("div", { class: "children" });
    let shown = 0;
    const more = () => {
        const next = entries.slice(shown, shown + MAX_ITEMS).map(([child, item]) => tree(item, child, depth + 1));
        shown += next.length;
        children.querySelector(":scope > button")?.remove();
        children.append(...next);
        if (shown < entries.length) {
            children.append(smallButton(`Show more of ${entries.length}`, more));
        }
    };
    const isOpen = depth < 2 || (depth < 4 && entries.length <= 8);
    if (isOpen) more();
    return el("details", { class: "node", open: isOpen, ontoggle: event => { if (event.target.open && shown === 0) more(); } },
        el("summary", {}, key, el("span", { class: "size" }, size)), children);
}

/** A text that can be scrolled with the keyboard. */
const scrolled = (text, label, kind = "") => folded(el("pre", { tabindex: "0", role: "group", "aria-label": label, class: kind }), text);

const code = (text, label) => el("div", { class: "code-block" }, scrolled(text, label), copyButton(() => text));

const lines = (text, kind = "") => el("div", {}, scrolled(text, "Text", `wrapped ${kind}`));

/** A media type that is safe in a `data:` URL. */
const mediaType = (text, kind) => (new RegExp(`^${kind}/[\\w.+-]+$`).test(text) ? text : `${kind}/unknown`);

function block(content) {
    const { type, data, mimeType, resource } = content;
    const caption = (...parts) => el("figcaption", {}, parts.filter(Boolean).join(" · "));
    const bytes = text => `${decimal(Math.floor((text.replace(/=+$/, "").length * 3) / 4))} bytes`;
    const audience = content.annotations?.audience?.join(", ");
    const figure = (...children) => el("figure", { class: "block" }, children);
    const forWhom = audience && `for: ${audience}`;
    switch (type) {
        case "text":
            return figure(lines(content.text), forWhom && caption(forWhom));
        case "image":
            return figure(el("img", { src: `data:${mediaType(mimeType, "image")};base64,${data}`, alt: `Image from the tool, ${mimeType}` }),
                caption(mimeType, bytes(data), forWhom));
        case "audio":
            return figure(el("audio", { controls: true, src: `data:${mediaType(mimeType, "audio")};base64,${data}` }), caption(mimeType, bytes(data), forWhom));
        case "resource_link":
            return figure(el("p", {}, content.title ?? content.name), el("code", {}, content.uri),
                caption("link to a resource", content.mimeType, content.description, forWhom));
        case "resource":
            return figure(el("code", {}, resource.uri), resource.text !== undefined && lines(resource.text),
                caption("resource", resource.mimeType, resource.blob !== undefined && bytes(resource.blob), forWhom));
        default:
            return figure(tree(content));
    }
}

/** The value, and the blocks that say more than the value. */
function success({ mcp }) {
    const value = mcp.structuredContent;
    let blocks = mcp.content;
    if (value !== undefined) {
        const says = text => {
            try {
                return isSame(parseJson(text), value);
            } catch {
                return false;
            }
        };
        if (blocks[0]?.type === "text" && says(blocks[0].text)) blocks = blocks.slice(1);
    }
    return el("div", { class: "stack" }, value !== undefined && el("div", { class: "tree" }, tree(value)), blocks.map(block));
}

/** The error as a model reads it, and what only programs read. */
function failure({ mcp, otc }) {
    if (!otc) return el("div", { class: "stack" }, mcp.content.map(content => (content.type === "text" ? lines(content.text, "failure") : block(content))));
    const { error } = otc;
    const facts = [];
    if (error.can_retry) facts.push(badge("the same call may succeed later", "info"));
    if (error.retry_after_ms !== undefined) facts.push(badge(`retry after ${error.retry_after_ms} ms`, "info"));
    if (error.code !== undefined) facts.push(badge(`code ${error.code}`));
    return el("div", { class: "stack" },
        lines(error.message, "failure"),
        error.additional_prompt_content !== undefined && lines(error.additional_prompt_content),
        facts.length > 0 && el("p", { class: "badges" }, facts),
        error.data !== undefined && el("div", { class: "tree" }, tree(error.data, "data")),
        error.developer_message !== undefined && el("div", {}, el("p", { class: "note" }, "For developers only:"), lines(error.developer_message)));
}

const identity = (kind, id) => el("span", { class: "call-id" }, `${kind} `, el("code", {}, id), " ", copyButton(() => id, "Copy id"));

const isSuccess = ({ mcp }) => mcp.isError !== true;

/** The outcome of a call that had one. A task has only the result of MCP. */
function outcome(event, version) {
    const { otc, task, rounds = [] } = event;
    const [verdict, kind] = isSuccess(event) ? ["Success", "good"] : ["Error", "bad"];
    const exchanged = rounds.flatMap(({ request, response }) => [
        { jsonrpc: "2.0", id: 1, method: "tools/call", params: request }, { jsonrpc: "2.0", id: 1, result: response },
    ]);
    const raw = value => () => code(toJson(value, "  "), "Message");
    const last = value => raw({ jsonrpc: "2.0", id: 1, result: value });
    const messages = () => tabs("Protocols", [
        [`MCP ${version}`, last(event.mcp)],
        ...(task ? [["Task", raw(task)]] : [["MCP 2025-11-25", last(event.mcp_legacy)], ["Open Tool Calling", raw(otc)]]),
        ...(rounds.length > 1 ? [[`All ${exchanged.length} messages`, () => el("div", { class: "stack" }, exchanged.map(message => raw(message)()))]] : []),
    ]).element;
    return [
        el("p", { class: "verdict" },
            el("strong", { class: kind }, verdict),
            otc && el("span", {}, `${Number(otc.duration).toLocaleString("en", { maximumSignificantDigits: 3 })} ms`),
            identity(task ? "task" : "call", task?.taskId ?? otc.call_id)),
        tabs("Result", [[isSuccess(event) ? "Result" : "Error", () => (isSuccess(event) ? success(event) : failure(event))], ["Response", messages]]).element,
    ];
}
