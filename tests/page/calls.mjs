// What a person does with a call: copy it, link to it, repeat it, cancel it, read a long result.

import assert from "node:assert/strict";

import { open } from "./browser.mjs";

const button = (scope, name) => scope.getByRole("button", { name, exact: true });
const field = (scope, name) => scope.getByLabel(name, { exact: true });
const verdict = (page, text) => page.locator(".verdict strong", { hasText: text }).waitFor();

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
