// Elements. Everything that comes from a server or a tool becomes a text node or an attribute value, never HTML.

/** Creates an element. A property that starts with `on` is a listener, `undefined` and `false` leave an attribute out. */
function el(name, properties, ...children) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(properties ?? {})) {
        if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
        else if (value !== undefined && value !== false) element.setAttribute(key, value === true ? "" : value);
    }
    element.append(...children.flat().filter(child => child !== undefined && child !== false));
    return element;
}

let lastId = 0;
const newId = () => `e${++lastId}`;

const byId = id => document.getElementById(id);

/** Tells users of screen readers what happened. */
function announce(text) {
    byId("status").textContent = text;
}

/** A line in which `code` between backticks looks like code. */
const inline = text => text.split(/(`[^`\n]+`)/).map(part => (/^`[^`\n]+`$/.test(part) ? el("code", {}, part.slice(1, -1)) : part));

/** A text of paragraphs, which blank lines separate. */
function prose(text, properties) {
    const paragraphs = text.trim().split(/\n[ \t]*\n/);
    return el("div", { class: "prose", ...properties }, paragraphs.map(paragraph => el("p", {}, inline(paragraph))));
}

const badge = (text, kind) => el("span", { class: `badge ${kind ?? ""}` }, text);

/** A button that copies what `text` returns. */
function copyButton(text, label = "Copy") {
    const button = el("button", { type: "button", class: "small", onclick: async () => {
        try {
            await navigator.clipboard.writeText(text());
            button.textContent = "Copied";
            announce("Copied");
        } catch {
            button.textContent = "Select and copy by hand";
        }
        setTimeout(() => { button.textContent = label; }, 1500);
    } }, label);
    return button;
}

/** Tabs with the keyboard of the ARIA pattern: arrows, Home and End. `panels` has `[label, make]`, made when first shown. */
function tabs(name, panels, onselect) {
    const buttons = [];
    const bodies = [];
    const list = el("div", { class: "tabs", role: "tablist", "aria-label": name });
    const element = el("div", { class: "tabbed" }, list);
    const select = (index, focus) => {
        buttons.forEach((button, at) => {
            button.setAttribute("aria-selected", String(at === index));
            button.tabIndex = at === index ? 0 : -1;
            bodies[at].hidden = at !== index;
        });
        if (!bodies[index].hasChildNodes()) bodies[index].append(panels[index][1]());
        if (focus) buttons[index].focus();
    };
    panels.forEach(([label], index) => {
        const [tab, panel] = [newId(), newId()];
        const choose = (at, focus) => { if (onselect?.(at) !== false) select(at, focus); };
        buttons.push(el("button", { type: "button", role: "tab", id: tab, "aria-controls": panel, onclick: () => choose(index), onkeydown: event => {
            const last = panels.length - 1;
            const to = { ArrowRight: index === last ? 0 : index + 1, ArrowLeft: index === 0 ? last : index - 1, Home: 0, End: last }[event.key];
            if (to === undefined) return;
            event.preventDefault();
            choose(to, true);
        } }, label));
        bodies.push(el("div", { role: "tabpanel", id: panel, "aria-labelledby": tab, class: "panel" }));
    });
    list.append(...buttons);
    element.append(...bodies);
    select(0);
    return { element, select };
}
