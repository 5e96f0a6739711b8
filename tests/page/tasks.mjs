// A call that outlasts its request: it is shown, left, and found again.

import assert from "node:assert/strict";

import { DESKTOP, PHONE, open } from "./browser.mjs";

const button = (scope, name) => scope.getByRole("button", { name, exact: true });
const verdict = (page, text) => page.locator(".verdict strong", { hasText: text }).waitFor();
const isTask = page => page.getByText("This call is a task").waitFor();

async function smoke(page, rounds) {
    await page.getByLabel("rounds", { exact: true }).fill(String(rounds));
    await button(page, "Call").click();
    await isTask(page);
}

export const tasks = ({ address }) => [
    ["a task shows its progress and its result, and looks right", async (driver, file) => {
        for (const [device, viewport] of [["desktop", DESKTOP], ["phone", PHONE]]) {
            for (const scheme of ["light", "dark"]) {
                const { page, show, accessible, close } = await open(driver, address, { scheme, viewport });
                await show("smoke_ham");
                await smoke(page, 1_000);
                await page.locator(".running p", { hasText: /^Round \d+ of 1000$/ }).waitFor();
                await accessible(`a task, ${device}, ${scheme}`);
                await page.screenshot({ path: file(`task-${device}-${scheme}`), fullPage: true });
                await button(page, "Cancel").click();
                await verdict(page, "Cancelled");
                await smoke(page, 4);
                await verdict(page, "Success");
                assert.match(await page.locator(".tree").innerText(), /the ham is smoked/);
                await page.getByRole("tab", { name: "Response" }).click();
                await page.getByRole("tab", { name: "Task", exact: true }).click();
                assert.match(await page.getByRole("tabpanel", { name: "Task", exact: true }).innerText(), /"status": "completed"/);
                await accessible(`the result of a task, ${device}, ${scheme}`);
                assert.deepEqual(await page.locator(".calls .badge").allTextContents(), ["Success", "Cancelled"]);
                await close();
            }
        }
    }],
    ["a person leaves a running task, calls again, and comes back", async (driver, file) => {
        const { page, show, close } = await open(driver, address);
        await show("smoke_ham");
        await smoke(page, 1_000);
        // It is shown while another tool is, and after a reload.
        await show("cook");
        await show("smoke_ham");
        await page.locator(".running p", { hasText: /^Round \d+ of 1000$/ }).waitFor();
        const link = await page.locator(".calls a").first().getAttribute("href");
        await button(page, "Leave it running").click();
        await page.getByText("The task continues without this page.").waitFor();
        assert.equal(await page.evaluate(() => document.activeElement.textContent), "Call");
        await smoke(page, 3);
        await verdict(page, "Success");
        assert.deepEqual(await page.locator(".calls .badge").allTextContents(), ["Success", "Running"]);
        await page.screenshot({ path: file("task-left"), fullPage: true });
        await page.locator(".calls a").last().click();
        await isTask(page);
        assert.equal(await page.getByLabel("rounds", { exact: true }).inputValue(), "1000");
        assert.equal(await page.evaluate(() => location.hash), link);
        await page.reload();
        await isTask(page);
        await page.locator(".running p", { hasText: /^Round \d+ of 1000$/ }).waitFor();
        await button(page, "Cancel").click();
        await verdict(page, "Cancelled");
        // It is cancelled in the server, so it shows as such to whoever opens its address.
        await page.reload();
        await verdict(page, "Cancelled");
        await close();
    }],
    ["a task that the server does not know has no result", async driver => {
        const { page, close } = await open(driver, `${address}#/smoke_ham?%7B%22rounds%22%3A5%7D?${"0".repeat(32)}`,
            { expected: /status of 404/ });
        await page.locator(".outcome p", { hasText: "The server refused to show the task with status 404: there is no such task" }).waitFor();
        assert.equal(await page.getByLabel("rounds", { exact: true }).inputValue(), "5");
        await close();
    }],
    ["the page asks again while the server does not answer", async driver => {
        const { page, show, close } = await open(driver, address, { expected: /Failed to load resource/ });
        await show("smoke_ham");
        await smoke(page, 8);
        await page.route("**/?task=*", route => route.abort());
        await page.locator(".running p", { hasText: "The page asks again." }).waitFor();
        await page.unroute("**/?task=*");
        await verdict(page, "Success");
        await close();
    }],
];
