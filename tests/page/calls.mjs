// What a person does with a call: copy it, link to it, repeat it, cancel it, read a long result.

import assert from "node:assert/strict";

import { open } from "./browser.mjs";

const button = (scope, name) => scope.getByRole("button", { name, exact: true });
const field = (scope, name) => scope.getByLabel(name, { exact: true });
const verdict = (page, text) => page.locator(".verdict strong", { hasText: text }).waitFor();
const clipboard = page => page.evaluate(() => navigator.clipboard.readText());

async function copied(page, tab) {
    await page.locator(".request").getByRole("tab", { name: tab, exact: true }).click();
    await page.locator(".request").getByRole("tabpanel", { name: tab, exact: true }).getByRole("button").click();
    await page.locator(".request").getByRole("button", { name: "Copied" }).waitFor();
    return clipboard(page);
}

export const calls = ({ address: restaurant }, { address: zoo }) => [
    ["a long text is folded, as a value, as a block and in a response", async driver => {
        const { page, show, accessible, close } = await open(driver, zoo);
        await show("recite");
        await field(page, "length").fill("3000000");
        await button(page, "Call").click();
        await verdict(page, "Success");
        const length = () => page.locator("main").evaluate(main => main.textContent.length);
        assert.ok((await length()) < 50_000, `${await length()} characters`);
        assert.equal(await page.getByRole("button", { name: /^Show all 3,000,00[02] characters$/ }).count(), 2);
        await accessible("a folded text");
        await page.getByRole("tab", { name: "Response" }).click();
        assert.ok((await length()) < 60_000, `${await length()} characters`);
        await field(page, "length").fill("6000");
        await button(page, "Call").click();
        await page.getByRole("button", { name: "Show all 6,000 characters" }).click();
        assert.equal((await page.locator("figure pre").textContent()).length, 6_000);
        await page.getByRole("button", { name: "Show less" }).click();
        assert.ok((await page.locator("figure pre").textContent()).length < 5_100);
        await close();
    }],
    ["the consent to a destructive tool is red and names the act, and only a hint about harm is a warning", async driver => {
        const { page, show, accessible, close } = await open(driver, restaurant);
        await show("clear_bookings");
        await button(page, "Call").click();
        const yes = page.getByRole("dialog").getByRole("button", { name: "Yes: Clear Bookings" });
        const red = yes.evaluate(element => getComputedStyle(element).backgroundColor);
        assert.equal(await red, await page.getByText("destructive", { exact: true }).first().evaluate(element => getComputedStyle(element).color));
        await accessible("a destructive consent");
        await button(page.getByRole("dialog"), "No").click();
        await show("book_table");
        await field(page, "table").fill("3");
        await button(page, "Call").click();
        await field(page.getByRole("dialog"), "name").fill("Ann");
        await button(page.getByRole("dialog"), "Answer").click();
        assert.ok(!(await button(page.getByRole("dialog"), "Yes: Book Table").getAttribute("class")).includes("danger"));
        await page.keyboard.press("Escape");
        await close();
        const other = await open(driver, zoo);
        await other.show("labelled");
        assert.equal((await other.page.locator("header .badge", { hasText: "idempotent" }).getAttribute("class")).trim(), "badge");
        await other.close();
    }],
    ["a call is copied as a call of this page, as a message of MCP, and as plain HTTP", async driver => {
        const { page, show, accessible, close } = await open(driver, restaurant, { clipboard: true });
        await show("find_tables");
        await field(page, "day").fill("2026-07-28");
        await field(page, "guests").fill("4");
        await page.getByText("Request", { exact: true }).click();
        const body = '{"day":"2026-07-28","guests":4}';
        assert.equal(await copied(page, "This page"), `curl '${restaurant}?call' \\\n  --header 'content-type: application/json' \\\n  --data '{"name":"find_tables","arguments":${body}}'`);
        const message = JSON.parse(await copied(page, "MCP"));
        assert.deepEqual([message.jsonrpc, message.method, message.params.name, JSON.stringify(message.params.arguments)], ["2.0", "tools/call", "find_tables", body]);
        assert.equal(await copied(page, "Plain HTTP"), `curl "$TOOLS/find_tables" \\\n  --header 'content-type: application/json' \\\n  --data '${body}'`);
        await accessible("requests to copy");
        await close();
    }],
    ["a link opens a tool with its form filled, calls nothing, and has no password", async driver => {
        const { page, show, close } = await open(driver, zoo, { clipboard: true });
        await show("labelled");
        await field(page, "Day of the visit").fill("Tuesday & \"Wednesday\"?");
        await field(page, "unit").selectOption({ label: '"null"' });
        await field(page, "count").fill("18446744073709551615");
        await field(page, "secret").fill("open sesame");
        await button(page, "Copy link").click();
        await button(page, "Copied").waitFor();
        const link = await clipboard(page);
        assert.ok(!link.includes("sesame"), link);
        await close();
        const other = await open(driver, link);
        const calls = [];
        other.page.on("request", request => { if (request.url().includes("?call")) calls.push(request.url()); });
        await other.page.getByRole("heading", { name: "labelled" }).waitFor();
        assert.equal(await field(other.page, "Day of the visit").inputValue(), "Tuesday & \"Wednesday\"?");
        assert.equal(await field(other.page, "unit").locator("option:checked").textContent(), '"null"');
        assert.equal(await field(other.page, "count").inputValue(), "18446744073709551615");
        assert.equal(await field(other.page, "secret").inputValue(), "");
        await other.show("paint");
        await other.page.evaluate(() => { location.hash = "#/labelled?%7B"; });
        await other.page.getByText("This is not JSON").waitFor();
        await other.page.evaluate(() => { location.hash = "#/labelled?%7B%22day%22%3A%5B1%5D%7D"; });
        await other.page.waitForFunction(() => /^\{\s*"day": \[\s*1\s*\]\s*\}$/.test(document.querySelector("textarea[aria-label='Arguments as JSON']")?.value));
        assert.deepEqual(calls, []);
        await other.close();
    }],
    ["the calls since the page was opened are listed, and each fills the form again", async (driver, file) => {
        const { page, show, accessible, close } = await open(driver, restaurant);
        await show("find_tables");
        await field(page, "day").fill("2026-07-28");
        for (const guests of ["4", "40"]) {
            await field(page, "guests").fill(guests);
            await button(page, "Call").click();
            await verdict(page, guests === "4" ? "Success" : "Error");
        }
        const calls = page.locator(".calls li");
        assert.deepEqual(await calls.locator(".badge").allTextContents(), ["Error", "Success"]);
        // Twice: the second time the address is the same already.
        for (const guests of ["7", "8"]) {
            await field(page, "guests").fill(guests);
            await calls.last().getByRole("link").click();
            await page.waitForFunction(() => document.activeElement.localName === "h1");
            assert.equal(await field(page, "guests").inputValue(), "4");
        }
        await page.getByRole("link", { name: "Restaurant" }).click();
        await page.getByRole("heading", { name: "Calls" }).waitFor();
        await accessible("calls of the session");
        await page.screenshot({ path: file("calls"), fullPage: true });
        assert.equal(await page.evaluate(() => localStorage.length + sessionStorage.length), 0);
        await calls.first().getByRole("link").click();
        await page.waitForFunction(() => document.activeElement.localName === "h1");
        assert.equal(await field(page, "guests").inputValue(), "40");
        await close();
    }],
    ["a cancelled call promises nothing about what the tool does", async driver => {
        const { page, show, close } = await open(driver, restaurant);
        await show("cook");
        await field(page, "courses").fill("50");
        await button(page, "Call").click();
        await page.getByText("Course 1 is served").first().waitFor();
        await button(page, "Cancel").click();
        await verdict(page, "Cancelled");
        await page.getByText("What the tool has done so far is not undone, and a part of it may still run.").waitFor();
        assert.ok(!(await page.locator("main").innerText()).includes("await point"));
        await close();
    }],
];
