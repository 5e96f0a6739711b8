// The page: loads the tools, shows the overview or one of them.

const views = new Map();

async function main() {
    let overview;
    try {
        const response = await post("?tools");
        if (!response.ok) throw new Error(`status ${response.status}`);
        overview = parseJson(await response.text());
    } catch (error) {
        byId("main").replaceChildren(el("h1", {}, "The tools cannot be loaded"), el("p", {}, error.message));
        return;
    }
    const title = overview.server.title ?? overview.server.name;
    byId("brand").textContent = title;
    byId("version").textContent = overview.server.version;
    const links = overview.tools.map(tool => {
        const { name, title } = tool.definition;
        const link = el("a", { href: `#/${encodeURIComponent(name)}` }, el("span", {}, title ?? name), el("code", {}, name));
        return { tool, link, item: el("li", {}, link) };
    });
    byId("list").append(...links.map(({ item }) => item));
    byId("filter").addEventListener("input", event => {
        const words = event.target.value.toLowerCase().split(/\s+/);
        let count = 0;
        for (const { tool, item } of links) {
            const { name, title, description } = tool.definition;
            const text = [name, title, description, ...tool.tags].join(" ").toLowerCase();
            item.hidden = !words.every(word => text.includes(word));
            count += item.hidden ? 0 : 1;
        }
        announce(`${count} tools`);
    });
    const show = isFirst => {
        // Other fragments, such as the one of the link that skips to the content, are not pages.
        if (location.hash !== "" && !location.hash.startsWith("#/")) return;
        let name = "";
        try {
            name = decodeURIComponent(location.hash.slice(2));
        } catch {
            // A fragment that somebody typed.
        }
        const tool = overview.tools.find(tool => tool.definition.name === name);
        if (!views.has(name)) views.set(name, tool ? toolView(tool, overview) : overviewView(overview, title));
        const { element } = views.get(name);
        document.body.classList.toggle("at-tool", tool !== undefined);
        document.title = tool ? `${tool.definition.title ?? name} – ${title}` : title;
        byId("main").replaceChildren(element);
        for (const link of links) {
            if (link.tool === tool) link.link.setAttribute("aria-current", "page");
            else link.link.removeAttribute("aria-current");
        }
        document.querySelector("#list [aria-current]")?.scrollIntoView({ block: "nearest" });
        window.scrollTo(0, 0);
        if (!isFirst) element.querySelector("h1").focus();
    };
    addEventListener("hashchange", () => show(false));
    show(true);
}

/** All tools with their sizes, and the findings about them. */
function overviewView({ server, tools, findings }, title) {
    const bytes = tools.reduce((sum, { cost }) => sum + (cost?.bytes ?? 0), 0);
    const largest = Math.max(1, ...tools.map(({ cost }) => cost?.bytes ?? 0));
    const number = value => value.toLocaleString("en");
    const severe = findings.filter(({ severity }) => severity !== "advice");
    const list = el("div", {}, findingList(severe, true));
    const all = el("input", { type: "checkbox", onchange: () => list.replaceChildren(findingList(all.checked ? findings : severe, true)) });
    const element = el("article", {},
        el("header", {}, el("h1", { tabindex: "-1" }, title),
            server.instructions && prose(server.instructions),
            el("p", { class: "note" }, `${number(tools.length)} ${tools.length === 1 ? "tool" : "tools"}. Their definitions are ${number(bytes)} bytes for a model, about ${number(Math.round(bytes / 4))} tokens.`)),
        el("section", { class: "card", "aria-labelledby": "tools" },
            el("div", { class: "card-head" }, el("h2", { id: "tools" }, "Tools"),
                el("p", { class: "legend", "aria-hidden": "true" }, el("span", { class: "part description" }), "description", el("span", { class: "part schema" }), "schema", el("span", { class: "part rest" }), "rest")),
            tools.length === 0 ? el("p", { class: "note" }, "No tools are visible to you.") : el("table", {},
                el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Tool"), el("th", { scope: "col", class: "size-column" }, "Size"))),
                el("tbody", {}, tools.map(tool => el("tr", {},
                    el("th", { scope: "row" },
                        el("p", { class: "badges" }, el("a", { href: `#/${encodeURIComponent(tool.definition.name)}` }, tool.definition.title ?? tool.definition.name), badges(tool)),
                        el("p", { class: "summary" }, (tool.definition.description ?? "").split("\n")[0])),
                    el("td", { class: "size-column" }, tool.cost && [bar(tool.cost, largest), el("span", { class: "note" }, `${number(tool.cost.bytes)} bytes`)])))))),
        el("section", { class: "card", "aria-labelledby": "findings" },
            el("div", { class: "card-head" }, el("h2", { id: "findings" }, "What clients refuse or drop"),
                findings.length > severe.length && el("label", { class: "note" }, all, `with advice (${findings.length - severe.length})`)),
            list));
    return { element };
}

/** The size of a definition, by its parts. */
function bar({ bytes, description, input_schema: schema }, largest) {
    const part = (kind, size) => {
        const element = el("span", { class: `part ${kind}` });
        element.style.width = `${(100 * size) / largest}%`;
        return element;
    };
    return el("div", { class: "bar", "aria-hidden": "true" }, part("description", description), part("schema", schema), part("rest", Math.max(0, bytes - description - schema)));
}

main();
