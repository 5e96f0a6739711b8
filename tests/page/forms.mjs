// What a form keeps, says and refuses.

import assert from "node:assert/strict";

import { open } from "./browser.mjs";

const button = (scope, name) => scope.getByRole("button", { name, exact: true });
const field = (scope, name) => scope.getByLabel(name, { exact: true });
const row = (page, name) => page.locator(".row").filter({ has: page.locator(":scope > .head > .name", { hasText: new RegExp(`^${name}$`) }) });
const arguments_ = async page => {
    await page.getByRole("tab", { name: "JSON" }).click();
    return JSON.parse(await field(page, "Arguments as JSON").inputValue());
};

export const forms = ({ address: restaurant }, { address: zoo }) => [
    ["an answer that is not valid keeps what was typed, and its errors are at their fields", async (driver, file) => {
        const { page, show, accessible, close } = await open(driver, restaurant);
        await show("book_table");
        await field(page, "table").fill("3");
        await button(page, "Call").click();
        const dialog = page.getByRole("dialog");
        await field(dialog, "name").fill("Ann");
        await field(dialog, "email").fill("ann at example.com");
        await button(dialog, "Answer").click();
        await button(dialog, "Yes: Book Table").click();
        await dialog.locator(".row", { has: field(page, "email") }).locator(".error", { hasText: "expected" }).waitFor();
        assert.equal(await field(dialog, "name").inputValue(), "Ann");
        assert.equal(await field(dialog, "email").inputValue(), "ann at example.com");
        assert.equal(await page.evaluate(() => document.activeElement.value), "ann at example.com");
        assert.equal(await dialog.getByRole("heading").textContent(), "Who is the guest for table 3?");
        await accessible("a question with errors");
        await page.screenshot({ path: file("question-errors") });
        await field(dialog, "email").fill("ann@example.com");
        await button(dialog, "Answer").click();
        await page.getByText("table 3 is booked for Ann").waitFor();
        await close();
    }],
    ["two entries with one name are an error at their fields, and are not sent", async driver => {
        const { page, show, accessible, close } = await open(driver, restaurant);
        const calls = [];
        page.on("request", request => { if (request.url().endsWith("?call")) calls.push(request.postData()); });
        await show("order");
        await field(page, "name").fill("soup");
        await page.getByRole("checkbox", { name: "Send notes" }).check();
        for (const text of ["hot", "cold"]) {
            await button(page, "Add an entry").click();
            await page.getByLabel("Name of the entry").last().fill("soup");
            await field(page, "soup").last().fill(text);
        }
        const errors = page.locator(".entry > .error:visible");
        assert.equal(await errors.count(), 0, "an error while the name is typed");
        await button(page, "Call").click();
        assert.deepEqual(await errors.allTextContents(), Array(2).fill("Another entry has this name. Only one of them can be sent."));
        await accessible("two entries with one name");
        await page.getByRole("tab", { name: "JSON" }).click();
        assert.equal(await page.getByRole("tab", { name: "JSON" }).getAttribute("aria-selected"), "false");
        assert.deepEqual(calls, []);
        await page.getByLabel("Name of the entry").last().fill("fish");
        assert.equal(await errors.count(), 0);
        await button(page, "Call").click();
        await page.locator(".verdict strong", { hasText: "Success" }).waitFor();
        assert.deepEqual(JSON.parse(calls[0]).arguments.notes, { soup: "hot", fish: "cold" });
        await page.getByRole("tab", { name: "JSON" }).click();
        const json = field(page, "Arguments as JSON");
        await json.fill((await json.inputValue()).replace("fish", "soup"));
        await button(page, "Call").click();
        await page.getByText("an object has two properties with one name").waitFor();
        assert.equal(calls.length, 1);
        await close();
    }],
    ["a word says whether an optional value is sent", async driver => {
        const { page, show, close } = await open(driver, restaurant);
        await show("find_tables");
        const word = name => row(page, name).locator(":scope > .head > .sent").innerText();
        assert.deepEqual([await word("time"), await word("wishes")], ["default: 19:00", "not sent"]);
        await field(page, "time").fill("20:00");
        await row(page, "wishes").getByText("not sent").first().click();
        assert.deepEqual([await word("time"), await word("wishes"), await word("allergies")], ["sent", "sent", "default: empty"]);
        await page.getByRole("checkbox", { name: "Send time" }).uncheck();
        assert.equal(await word("time"), "default: 19:00");
        await close();
    }],
    ["an optional boolean has no value before one is chosen", async driver => {
        const { page, show, close } = await open(driver, zoo);
        await show("labelled");
        await page.getByRole("checkbox", { name: "Send loud" }).waitFor();
        assert.equal(await row(page, "loud").getByRole("radio", { checked: true }).count(), 0);
        await page.getByRole("checkbox", { name: "Send loud" }).check();
        const word = row(page, "loud").locator(".sent");
        assert.equal(await word.innerText(), "no value yet");
        await row(page, "loud").getByLabel("false").check();
        assert.equal(await word.innerText(), "sent");
        assert.equal((await arguments_(page)).loud, false);
        await close();
    }],
    ["a choice tells null from the text “null”, and shows the empty text", async driver => {
        const { page, show, close } = await open(driver, zoo);
        await show("labelled");
        const unit = field(page, "unit");
        assert.deepEqual((await unit.locator("option").allTextContents()).slice(1), ["null", '"null"', '""', "metre"]);
        await unit.selectOption({ label: '"null"' });
        assert.equal((await arguments_(page)).unit, "null");
        await page.getByRole("tab", { name: "Form" }).click();
        await unit.selectOption({ label: "null" });
        assert.equal((await arguments_(page)).unit, null);
        await close();
    }],
    ["a title labels its field, a text of one line is one line high, and emphasis is shown", async driver => {
        const { page, show, close } = await open(driver, zoo);
        await show("labelled");
        const day = field(page, "Day of the visit");
        assert.equal(await row(page, "Day of the visit").locator(":scope > .head > code").textContent(), "day");
        const { height } = await day.boundingBox();
        assert.ok(height < 45, `${height} pixels`);
        const hint = row(page, "Day of the visit").locator(".hint");
        assert.equal(await hint.innerText(), "Not a holiday, and never a Monday or snake_case_day.");
        assert.deepEqual(await hint.locator("em, strong, code").evaluateAll(all => all.map(({ localName, textContent }) => [localName, textContent])),
            [["em", "holiday"], ["strong", "never"], ["code", "Monday"]]);
        await close();
    }],
    ["control characters of the writing direction are shown as code points", async driver => {
        const { page, show, close } = await open(driver, zoo);
        const item = page.locator("#list li", { hasText: "File names" });
        assert.match(await item.innerText(), /invoiceU\+202Efdp\.exe/);
        await show("labelled");
        await page.locator("header .prose", { hasText: "invoiceU+202Efdp.exe" }).waitFor();
        await field(page, "Day of the visit").fill("a\u2066b");
        await field(page, "unit").selectOption({ label: "metre" });
        await button(page, "Call").click();
        await page.locator(".outcome", { hasText: "aU+2066b" }).waitFor();
        assert.ok(!/\p{Bidi_Control}/u.test(await page.locator("body").innerText()));
        await close();
    }],
];
