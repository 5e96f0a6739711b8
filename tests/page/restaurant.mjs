// A person uses the page of the restaurant: with the mouse, and with the keyboard alone.

import assert from "node:assert/strict";

import { DESKTOP, PHONE, open } from "./browser.mjs";

const call = page => page.getByRole("button", { name: "Call", exact: true });
const verdict = (page, text) => page.locator(".verdict strong", { hasText: text }).waitFor();
const row = (page, name) => page.locator(".row").filter({ has: page.locator(`:scope > .head > .name`, { hasText: new RegExp(`^${name}$`) }) });
const error = (page, name) => row(page, name).locator(":scope > .error");

async function fillTables(page) {
    await page.getByLabel("day", { exact: true }).fill("2026-07-28");
    await page.getByLabel("guests", { exact: true }).fill("4");
    await page.getByRole("checkbox", { name: "Send wishes" }).check();
    await page.getByLabel("area", { exact: true }).selectOption({ label: "inside" });
}

async function fillOrder(page) {
    const dishes = row(page, "dishes");
    await dishes.getByLabel("name", { exact: true }).fill("soup");
    await dishes.getByLabel("count", { exact: true }).fill("2");
    await row(page, "payment").getByRole("combobox").selectOption({ index: 3 });
    await page.getByLabel("code", { exact: true }).fill("18446744073709551615");
    await page.getByRole("checkbox", { name: "Send notes" }).check();
    await row(page, "notes").getByRole("button", { name: "Add an entry" }).click();
    await page.getByLabel("Name of the entry").fill("soup");
    await page.getByLabel("soup", { exact: true }).fill("hot\nand spicy");
}

/** Presses Tab until the element with this accessible name has the focus. */
async function tabTo(page, role, name) {
    for (let presses = 0; presses < 60; presses++) {
        await page.keyboard.press("Tab");
        const isThere = await page.getByRole(role, { name, exact: true }).evaluateAll(all => all.includes(document.activeElement));
        if (isThere) return;
    }
    throw new Error(`no way with Tab to the ${role} ${name}`);
}

export const restaurant = ({ address }) => [
    ["the overview and a tool look right and are accessible on a desktop and a phone, dark and light", async (driver, file) => {
        for (const [device, viewport] of [["desktop", DESKTOP], ["phone", PHONE]]) {
            for (const scheme of ["light", "dark"]) {
                const { page, show, accessible, close } = await open(driver, address, { scheme, viewport });
                await accessible(`overview, ${device}, ${scheme}`);
                await page.screenshot({ path: file(`overview-${device}-${scheme}`) });
                await show("find_tables");
                await fillTables(page);
                await call(page).click();
                await verdict(page, "Success");
                await accessible(`result, ${device}, ${scheme}`);
                await page.evaluate(() => scrollTo(0, 0));
                await page.screenshot({ path: file(`result-${device}-${scheme}`), fullPage: true });
                await page.getByLabel("guests", { exact: true }).fill("40");
                await page.getByLabel("time", { exact: true }).fill("soon");
                await call(page).click();
                await verdict(page, "Error");
                await accessible(`errors, ${device}, ${scheme}`);
                await page.evaluate(() => scrollTo(0, 0));
                await page.screenshot({ path: file(`errors-${device}-${scheme}`), fullPage: true });
                const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
                assert.ok(wide <= 0, `the page is ${wide} pixels too wide`);
                await page.getByText("Request", { exact: true }).click();
                await page.getByRole("tab", { name: "Plain HTTP" }).click();
                await accessible(`request, ${device}, ${scheme}`);
                await show("clear_bookings");
                await call(page).click();
                await page.getByRole("dialog").waitFor();
                await accessible(`consent, ${device}, ${scheme}`);
                await page.screenshot({ path: file(`consent-${device}-${scheme}`) });
                await page.keyboard.press("Escape");
                await verdict(page, "Error");
                await show("book_table");
                await page.getByLabel("table", { exact: true }).fill("3");
                await call(page).click();
                await page.getByRole("button", { name: "Answer", exact: true }).click();
                await page.getByRole("button", { name: "Yes: Book Table" }).click();
                await page.locator("dialog .invalid").waitFor();
                await accessible(`question with an error, ${device}, ${scheme}`);
                await page.screenshot({ path: file(`question-error-${device}-${scheme}`) });
                await page.keyboard.press("Escape");
                await close();
            }
        }
    }],
    ["errors are at their fields, and the first has the focus", async driver => {
        const { page, show, close } = await open(driver, address);
        await show("order");
        await page.getByText("list of objects, at least 1 item, required", { exact: true }).waitFor();
        await fillOrder(page);
        await page.getByLabel("count", { exact: true }).fill("many");
        await row(page, "payment").getByRole("combobox").selectOption({ index: 2 });
        await page.getByLabel("digits", { exact: true }).fill("12");
        await call(page).click();
        await verdict(page, "Error");
        assert.equal(await error(page, "count").textContent(), "expected an integer, got a string");
        assert.match(await error(page, "digits").textContent(), /4/);
        assert.equal(await error(page, "dishes").isVisible(), false);
        assert.equal(await page.evaluate(() => document.activeElement.value), "many");
        const described = await page.getByLabel("count", { exact: true }).evaluate(input =>
            input.getAttribute("aria-invalid") + document.getElementById(input.getAttribute("aria-describedby").split(" ").at(-1)).textContent);
        assert.equal(described, "trueexpected an integer, got a string");
        await page.getByLabel("count", { exact: true }).fill("3");
        assert.equal(await error(page, "count").isVisible(), false);
        await close();
    }],
    ["a list, a union, a map and an integer of 64 bits are sent and shown exactly", async (driver, file) => {
        const { page, show, accessible, close } = await open(driver, address, { clipboard: true });
        await show("order");
        await fillOrder(page);
        await call(page).click();
        await verdict(page, "Success");
        const tree = await page.locator(".tree").innerText();
        for (const part of ["18446744073709551615", '"hot\\nand spicy"', '"voucher"', "2500"]) assert.ok(tree.includes(part), tree);
        await page.getByText("Request", { exact: true }).click();
        await page.locator(".request").getByRole("button", { name: "Copy" }).first().click();
        await page.waitForFunction(async () => /^curl 'http:\/\/127\.0\.0\.1:\d+\/\?call' [^]*"code":18446744073709551615/.test(await navigator.clipboard.readText()));
        await page.getByRole("tab", { name: "Response" }).click();
        await page.getByRole("tab", { name: "Open Tool Calling" }).last().click();
        assert.match(await page.getByRole("tabpanel", { name: "Open Tool Calling" }).last().innerText(), /"success": true/);
        await accessible("request and response");
        await page.evaluate(() => scrollTo(0, 0));
        await page.screenshot({ path: file("order"), fullPage: true });
        await close();
    }],
    ["questions are dialogs: answered, declined, closed", async (driver, file) => {
        const { page, show, accessible, close } = await open(driver, address);
        await show("book_table");
        await page.getByLabel("table", { exact: true }).fill("3");
        await call(page).click();
        const dialog = page.getByRole("dialog");
        await dialog.getByText("Who is the guest for table 3?").waitFor();
        await accessible("a question");
        await dialog.getByLabel("name", { exact: true }).fill("Ann");
        await page.screenshot({ path: file("question") });
        await dialog.getByRole("button", { name: "Answer", exact: true }).click();
        await dialog.getByText("Book table 3 now?").waitFor();
        // Enter, pressed too early, must not agree.
        await page.keyboard.press("Enter");
        await verdict(page, "Error");
        assert.match(await page.locator("pre.failure").textContent(), /the user declined: Book table 3 now\?/);
        await call(page).click();
        await dialog.getByLabel("name", { exact: true }).fill("Ann");
        await page.keyboard.press("Enter");
        await dialog.getByRole("button", { name: "Yes" }).click();
        await verdict(page, "Success");
        assert.match(await page.locator(".tree").innerText(), /table 3 is booked for Ann/);
        await page.getByRole("tab", { name: "Response" }).click();
        await page.getByRole("tab", { name: /^All \d messages$/ }).click();
        await call(page).click();
        await dialog.getByText("Who is the guest for table 3?").waitFor();
        await page.keyboard.press("Escape");
        await verdict(page, "Error");
        assert.match(await page.locator("pre.failure").textContent(), /closed the question/);
        await close();
    }],
    ["a running call shows its progress", async (driver, file) => {
        const { page, show, close } = await open(driver, address, { scheme: "dark", viewport: PHONE });
        await show("cook");
        await page.getByLabel("courses", { exact: true }).fill("8");
        await page.evaluate(() => {
            window.seen = [];
            new MutationObserver(() => window.seen.push([document.querySelector("progress")?.position, document.getElementById("status").textContent]))
                .observe(document.getElementById("status"), { childList: true });
        });
        await call(page).click();
        await page.locator(".running").scrollIntoViewIfNeeded();
        await page.screenshot({ path: file("progress") });
        await verdict(page, "Success");
        const seen = await page.evaluate(() => window.seen);
        assert.ok(seen.some(([position, text]) => position === 0.5 && text === "Course 4 is served (4 of 8)"), JSON.stringify(seen));
        await close();
    }],
    ["pictures, sounds and errors of every kind are shown", async (driver, file) => {
        const { page, show, accessible, close } = await open(driver, address);
        await show("dish_of_the_day");
        await call(page).click();
        await verdict(page, "Success");
        await page.waitForFunction(() => document.querySelector("figure img").naturalWidth === 240);
        await page.waitForFunction(() => document.querySelector("audio").duration === 0.5);
        await accessible("pictures and sounds");
        await page.screenshot({ path: file("blocks"), fullPage: true });
        await show("waiting_time");
        await call(page).click();
        await page.getByText("retry after 2000 ms").waitFor();
        await show("print_till_roll");
        await call(page).click();
        await verdict(page, "Error");
        const text = await page.locator("main").innerText();
        assert.ok(text.includes("internal error in tool `print_till_roll`") && !text.includes("10.0.0.7"), text);
        await close();
    }],
    ["the keyboard alone finds a tool, fills its form, calls it, and answers", async driver => {
        const { page, close } = await open(driver, address);
        await page.keyboard.press("Tab");
        assert.equal(await page.evaluate(() => document.activeElement.textContent), "Skip to the content");
        await tabTo(page, "searchbox", "Filter the tools");
        await page.keyboard.type("book");
        assert.equal(await page.locator("#list li:visible").count(), 2);
        await tabTo(page, "link", "Book Table book_table");
        await page.keyboard.press("Enter");
        await page.getByRole("heading", { name: "Book Table" }).waitFor();
        assert.equal(await page.evaluate(() => document.activeElement.localName), "h1");
        await tabTo(page, "textbox", "table");
        await page.keyboard.type("4");
        await page.keyboard.press("Control+Enter");
        await page.getByRole("dialog").waitFor();
        await page.keyboard.type("Zoë");
        await tabTo(page, "checkbox", "Send email");
        await page.keyboard.press("Tab");
        await page.keyboard.type("zoe@example.com");
        await page.keyboard.press("Enter");
        await page.getByRole("heading", { name: "Book table 4 now?" }).waitFor();
        await page.keyboard.press("Shift+Tab");
        await page.keyboard.press("Enter");
        await verdict(page, "Success");
        assert.match(await page.locator(".tree").innerText(), /booked for Zoë/);
        // Tabs have the arrows.
        await tabTo(page, "tab", "Result");
        await page.keyboard.press("ArrowRight");
        assert.equal(await page.getByRole("tab", { name: "Response" }).getAttribute("aria-selected"), "true");
        await close();
    }],
    ["an example fills the form, and the form keeps what was typed while another tool is shown", async driver => {
        const { page, show, close } = await open(driver, address);
        await show("find_tables");
        assert.equal(await page.getByLabel("time", { exact: true }).inputValue(), "19:00");
        await page.getByRole("button", { name: "Example" }).click();
        assert.equal(await page.getByLabel("guests", { exact: true }).inputValue(), "4");
        await page.getByRole("tab", { name: "JSON" }).click();
        assert.deepEqual(JSON.parse(await page.getByLabel("Arguments as JSON").inputValue()), { day: "2026-07-28", guests: 4 });
        await page.getByLabel("Arguments as JSON").fill('{"day": "2026-07-28", "unknown": [1]}');
        await page.getByRole("tab", { name: "Form" }).click();
        await page.getByText("The form cannot show these arguments exactly.").waitFor();
        await page.getByLabel("Arguments as JSON").fill("{");
        await call(page).click();
        await page.getByText("This is not JSON").waitFor();
        await page.getByLabel("Arguments as JSON").fill('{"day": "2026-07-28", "guests": 5}');
        await page.getByRole("tab", { name: "Form" }).click();
        await show("cook");
        await show("find_tables");
        assert.equal(await page.getByLabel("guests", { exact: true }).inputValue(), "5");
        await close();
    }],
];
