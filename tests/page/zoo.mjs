// The form of every tool of the zoo: it shows valid arguments exactly, and sends them.

import assert from "node:assert/strict";

import { open } from "./browser.mjs";

/** Runs inside the page. Returns the samples that the form does not show, and the verdict on a call from the form. */
async function tryTool({ name, samples }) {
    await new Promise(resolve => {
        addEventListener("hashchange", resolve, { once: true });
        location.hash = `#/${encodeURIComponent(name)}`;
    });
    const main = document.getElementById("main");
    const [asForm, asJson] = main.querySelectorAll("form [role=tab]");
    const text = () => main.querySelector("textarea[aria-label='Arguments as JSON']");
    const isForm = () => asForm.getAttribute("aria-selected") === "true";
    const lost = [];
    for (const sample of samples) {
        asJson.click();
        text().value = sample;
        asForm.click();
        if (!isForm()) lost.push(sample);
    }
    const shown = samples.find(sample => !lost.includes(sample));
    if (shown === undefined) return { name, lost, verdict: "no sample" };
    asJson.click();
    text().value = shown;
    asForm.click();
    main.querySelector("button.primary").click();
    for (;;) {
        await new Promise(resolve => { setTimeout(resolve, 2); });
        const verdict = main.querySelector(".verdict strong.good, .verdict strong.bad");
        if (verdict) return { name, lost, verdict: verdict.textContent, error: main.querySelector(".failure")?.textContent, shown };
    }
}

export const zoo = ({ address, said }) => [
    ["the form of every tool of the zoo shows its arguments and sends them", async driver => {
        const samples = await (await fetch(new URL("/samples", address))).json();
        const tools = Object.entries(samples);
        const { page, close } = await open(driver, address);
        let count = 0;
        let lost = [];
        for (const [name, list] of tools) {
            const done = await page.evaluate(tryTool, { name, samples: list });
            count += list.length;
            lost.push(...done.lost.map(sample => `${name}: ${sample}`));
            assert.equal(done.verdict, "Success", `${name}: ${done.error} ${done.shown}`);
        }
        // A text area turns every line break into a line feed. Open objects may have properties that the schema does not name.
        lost = lost.filter(sample => !sample.includes("\\r") && !sample.startsWith("tagged_struct:"));
        console.log(`${tools.length} tools, ${count} samples, ${lost.length} of them only as JSON`);
        assert.ok(tools.length > 90 && count > 1_000, `${tools.length} tools, ${count} samples`);
        assert.deepEqual(lost, []);
        await close();
    }],
    ["Cancel ends the call on the server", async driver => {
        const { page, show, close } = await open(driver, address);
        await show("wait_for_cancel");
        await page.getByRole("button", { name: "Call", exact: true }).click();
        await page.getByText(/^step [2-9] /).first().waitFor();
        await page.getByRole("button", { name: "Cancel" }).click();
        await page.locator(".verdict", { hasText: "Cancelled" }).waitFor();
        for (let tries = 0; !said.includes("cancelled"); tries++) {
            assert.ok(tries < 3_000, "the tool still runs");
            await new Promise(resolve => { setTimeout(resolve, 20); });
        }
        assert.equal(await page.evaluate(() => document.activeElement.textContent), "Call");
        await close();
    }],
    ["an answer that is not valid is asked for again, and Cancel closes a question", async driver => {
        const { page, show, close } = await open(driver, address);
        await show("paint");
        await page.getByLabel("thing", { exact: true }).fill("the door");
        await page.getByRole("button", { name: "Call", exact: true }).click();
        const dialog = page.getByRole("dialog");
        await dialog.getByLabel("colour", { exact: true }).fill("r");
        await dialog.getByRole("button", { name: "Answer", exact: true }).click();
        await dialog.getByText(/at least 3/).first().waitFor();
        await dialog.getByLabel("colour", { exact: true }).fill("red");
        await dialog.getByRole("button", { name: "Answer", exact: true }).click();
        await dialog.getByText("Paint the door red?").waitFor();
        await dialog.getByRole("button", { name: "Yes" }).click();
        await page.getByText('"the door is red"').waitFor();
        await close();
    }],
];
