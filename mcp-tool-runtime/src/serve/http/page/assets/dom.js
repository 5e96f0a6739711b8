// Elements. Everything that comes from a server or a tool becomes a text node or an attribute value, never HTML.

/** Creates an element. A property that starts with `on` is a listener, `undefined` and `false` leave an attribute out. */
function el(name, properties, ...children) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(properties ?? {})) {
        if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
        else if (value !== undefined && value !== false) element.setAttribute(key, value === true ? "" : value);
    }
    const shown = children.flat().filter(child => child !== undefined && child !== false);
    // An option shows nothing but text.
    element.append(...shown.flatMap(child => (typeof child !== "string" ? child : name === "option" ? plain(child) : visible(child))));
    return element;
}

/** The control characters that change the order in which a text is shown. */
const BIDI = /(\p{Bidi_Control})/u;

const codePoint = character => `U+${character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`;

/** A text that has the code points of such characters in their place. */
const plain = text => text.replace(new RegExp(BIDI, "gu"), codePoint);

/** The nodes of such a text. */
const visible = text => (BIDI.test(text) ? text.split(BIDI).map((part, index) => (index % 2 ? el("span", { class: "control-character" }, codePoint(part)) : part)) : [text]);

const setText = (element, text) => element.replaceChildren(...visible(text));

const decimal = number => number.toLocaleString("en");

/** The characters of a text that are shown without being asked for: millions of them freeze a browser. */
const MAX_TEXT = 5_000;

/** Shows a text in an element. Returns the element, and a button if the text can be folded. */
function folded(element, text, show = visible, length = MAX_TEXT) {
    const button = smallButton("", () => toggle());
    let isWhole = true;
    const toggle = () => {
        isWhole = !isWhole;
        element.replaceChildren(...show(isWhole ? text : short(text, length)));
        setText(button, isWhole ? "Show less" : `Show all ${decimal(text.length)} characters`);
    };
    if (text.length > length) toggle();
    else element.append(...show(text));
    return text.length > length ? [element, button] : [element];
}

/** The beginning of a text. */
const short = (text, length) => (text.length > length ? `${text.slice(0, length - 1)}…` : text);

let lastId = 0;
const newId = () => `e${++lastId}`;

const byId = id => document.getElementById(id);

/** Tells users of screen readers what happened. */
function announce(text) {
    byId("status").textContent = plain(short(text, 1_000));
}

const MARKS = /`([^`\n]+)`|(?<![\w*])(\*\*|__|\*|_)(?=\S)((?:(?!\2).)+)(?<=\S)\2(?![\w*])/gs;

/** The nodes of a text with the marks of Markdown inside a line: `code`, *emphasis* and **strong emphasis**. */
function inline(text) {
    const nodes = [];
    let end = 0;
    for (const { 0: all, 1: code, 2: mark, 3: inner, index } of text.matchAll(MARKS)) {
        nodes.push(text.slice(end, index), code ? el("code", {}, code) : el(mark.length > 1 ? "strong" : "em", {}, inline(inner)));
        end = index + all.length;
    }
    return [...nodes, text.slice(end)];
}

/** A text of paragraphs, which blank lines separate. */
function prose(text, properties) {
    const paragraphs = text => text.split(/\n[ \t]*\n/).map(paragraph => el("p", {}, inline(paragraph)));
    return el("div", properties, folded(el("div", { class: "prose" }), text.trim(), paragraphs, 1_500));
}

const badge = (text, kind) => el("span", { class: `badge ${kind ?? ""}` }, text);

/** A button that copies what `text` returns. */
function copyButton(text, label = "Copy") {
    const button = smallButton(label, async () => {
        try {
            await navigator.clipboard.writeText(text());
            button.textContent = "Copied";
            announce("Copied");
        } catch {
            button.textContent = "Select and copy by hand";
        }
        setTimeout(() => { button.textContent = label; }, 1500);
    });
    return button;
}

/** Texts that a browser must not correct. */
const EXACT = { autocomplete: "off", autocapitalize: "off", spellcheck: "false" };

const smallButton = (text, onclick) => el("button", { type: "button", class: "small", onclick }, text);

/** Opens a dialog with a form, which `title` labels. Escape calls `cancel`. Returns a function that closes it. */
function openDialog(title, onsubmit, cancel, ...parts) {
    const form = el("form", { method: "dialog", novalidate: true, onsubmit: event => { event.preventDefault(); onsubmit(); } }, parts);
    const dialog = el("dialog", { "aria-labelledby": title, class: "question", oncancel: event => { event.preventDefault(); cancel(); } }, form);
    document.body.append(dialog);
    dialog.showModal();
    return () => {
        dialog.close();
        dialog.remove();
    };
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
