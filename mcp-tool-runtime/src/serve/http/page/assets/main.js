// The page: loads the tools, shows the overview or one of them.

const views = new Map();

async function main() {
    const show = (...parts) => byId("main").replaceChildren(...parts);
    const note = el("p", { class: "note", role: "status" }, "Loading the tools…");
    show(note);
    const slow = setTimeout(() => asking ?? setText(note, "Loading the tools… The server has not answered for 5 seconds."), 5_000);
    let overview;
    try {
        const response = await post("?tools");
        if (!response.ok) throw new RequestError(`The server answered with status ${response.status}.`);
        overview = parseJson(await response.text());
    } catch (error) {
        const text = error instanceof RequestError ? error.message : "The answer of the server is not a list of tools.";
        show(el("article", {}, el("h1", {}, "The tools cannot be loaded"), el("p", {}, text), el("p", {}, el("button", { type: "button", onclick: main }, "Try again"))));
        announce(text);
        return;
    } finally {
        clearTimeout(slow);
    }
    start(overview);
}

function start(overview) {
    const title = overview.server.title ?? overview.server.name;
    setText(byId("brand"), title);
    setText(byId("version"), overview.server.version);
    const list = toolList(overview);
    const show = isFirst => {
        // Other fragments, such as the one of the link that skips to the content, are not pages.
        if (location.hash !== "" && !location.hash.startsWith("#/")) return;
        let [name, json, task] = [""];
        try {
            [name, json, task] = location.hash.slice(2).split("?").map(decodeURIComponent);
        } catch {
            // A fragment that somebody typed.
        }
        const tool = overview.tools.find(tool => tool.definition.name === name);
        if (!views.has(name)) views.set(name, tool ? toolView(tool, overview) : overviewView(overview, title));
        const view = views.get(name);
        // What was typed since stays when a person comes back to the address.
        if (tool && json !== undefined && view.filled !== location.hash) {
            view.filled = location.hash;
            view.fill(json);
            if (task) view.resume(task);
        }
        document.body.classList.toggle("at-tool", tool !== undefined);
        document.title = plain(tool ? `${titleOf(tool)} – ${title}` : title);
        byId("main").replaceChildren(view.element);
        // There is one list: on the overview it is a part of it, beside a tool it is narrow.
        if (tool) byId("main").before(list.element);
        else view.element.firstChild.after(list.element);
        view.element.lastChild.before(callsCard);
        list.select(tool);
        scrollTo(0, 0);
        if (!isFirst) view.element.querySelector("h1").focus();
    };
    addEventListener("hashchange", () => show(false));
    show(true);
}

/** The ways to sort the list. The first is that of the server. */
const ORDERS = {
    "by size": (a, b) => (b.cost?.bytes ?? 0) - (a.cost?.bytes ?? 0),
    "by name": (a, b) => titleOf(a).localeCompare(titleOf(b)),
    "as listed by the server": () => 0,
};

/** All tools with their sizes, with a filter. */
function toolList({ tools }) {
    const sizes = tools.map(({ cost }) => cost?.bytes ?? 0).toSorted((a, b) => a - b);
    // A tool that is much larger than the others would leave them no length. Its bar is cut.
    const longest = sizes.findLast(size => size <= 10 * sizes[sizes.length >> 1]) || 1;
    const entries = tools.map(tool => {
        const { name, title, description = "" } = tool.definition;
        const link = el("a", { href: `#/${encodeURIComponent(name)}` }, el("span", {}, titleOf(tool)), " ", el("code", {}, name));
        const item = el("li", {}, el("div", { class: "badges" }, link, badges(tool)),
            el("p", { class: "summary" }, inline(short(description.split("\n")[0], 200))), tool.cost && bar(tool.cost, longest));
        return { tool, link, item, text: [name, title, description, ...tool.tags].join(" ").toLowerCase() };
    });
    const list = el("ul", { id: "list" });
    const none = el("p", { class: "note", hidden: tools.length > 0 }, tools.length > 0 ? "No tool has these words." : "No tools are visible to you.");
    const sort = () => list.append(...entries.toSorted((a, b) => ORDERS[order.value](a.tool, b.tool)).map(({ item }) => item));
    const order = el("select", { "aria-label": "Sort the tools", onchange: sort }, Object.keys(ORDERS).map(name => el("option", {}, name)));
    const filter = el("input", { id: "filter", type: "search", placeholder: "Filter the tools", "aria-label": "Filter the tools", ...EXACT, oninput: () => {
        const words = filter.value.toLowerCase().split(/\s+/);
        let count = 0;
        for (const { item, text } of entries) {
            item.hidden = !words.every(word => text.includes(word));
            count += item.hidden ? 0 : 1;
        }
        none.hidden = count > 0;
        announce(`${count} tools`);
    } });
    const part = kind => el("span", { class: `part ${kind}` });
    const hasCosts = tools.some(({ cost }) => cost);
    if (!hasCosts) order.value = "as listed by the server";
    sort();
    return {
        element: el("nav", { class: "tools", "aria-label": "Tools" },
            el("div", { class: "card-head" }, filter, order),
            hasCosts && el("p", { class: "legend", "aria-hidden": "true" }, "bytes:", part("description"), "description", part("schema"), "schema", part("rest"), "rest"),
            list, none),
        select: tool => {
            for (const { link, tool: other } of entries) {
                if (other === tool) link.setAttribute("aria-current", "page");
                else link.removeAttribute("aria-current");
            }
            list.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
        },
    };
}

/** The size of a definition, by its parts. A bar that would be longer than the longest one is cut. */
function bar({ bytes, description, input_schema: schema }, longest) {
    const part = (kind, size) => {
        const element = el("span", { class: `part ${kind}` });
        element.style.width = `${(100 * size) / Math.max(bytes, longest)}%`;
        return element;
    };
    return el("div", { class: "size" },
        el("div", { class: bytes > longest ? "bar cut" : "bar", "aria-hidden": "true" }, part("description", description), part("schema", schema), part("rest", Math.max(0, bytes - description - schema))),
        el("span", { class: "note" }, `${decimal(bytes)} bytes`));
}

/** What the server says about itself, and the findings about its tools. */
function overviewView({ server, tools, findings }, title) {
    const bytes = tools.reduce((sum, { cost }) => sum + (cost?.bytes ?? 0), 0);
    const severe = findings.filter(({ severity }) => severity !== "advice");
    const list = el("div", {}, findingList(severe, true));
    const all = el("input", { type: "checkbox", onchange: () => list.replaceChildren(findingList(all.checked ? findings : severe, true)) });
    return {
        element: el("article", {},
            el("header", {}, el("h1", { tabindex: "-1" }, title),
                server.instructions && prose(server.instructions),
                el("p", { class: "note" }, `${decimal(tools.length)} ${tools.length === 1 ? "tool" : "tools"}.`,
                    bytes > 0 && ` Their definitions are ${decimal(bytes)} bytes for a model, about ${decimal(Math.round(bytes / 4))} tokens.`)),
            el("section", { class: "card", "aria-labelledby": "findings" },
                el("div", { class: "card-head" }, el("h2", { id: "findings" }, "What clients refuse or drop"),
                    findings.length > severe.length && el("label", { class: "note" }, all, `with advice (${findings.length - severe.length})`)),
                list)),
    };
}

main();
