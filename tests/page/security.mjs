// What the browser forbids, and what a hostile tool cannot do.

import assert from "node:assert/strict";
import { createServer } from "node:http";

import { open } from "./browser.mjs";

/** Serves a page of another site. */
async function foreignPage(html) {
    const server = createServer((_, response) => response.writeHead(200, { "content-type": "text/html" }).end(html));
    await new Promise(resolve => { server.listen(0, "127.0.0.1", resolve); });
    return { address: `http://localhost:${server.address().port}/`, close: () => server.close() };
}

export const security = ({ address }) => [
    ["texts of a hostile tool are texts", async (driver, file) => {
        const { page, show, accessible, close } = await open(driver, address);
        await page.screenshot({ path: file("hostile-overview") });
        await show("hostile");
        await page.getByRole("button", { name: "Call", exact: true }).click();
        await page.locator(".verdict", { hasText: "Success" }).waitFor();
        await accessible("a hostile result");
        await page.getByRole("checkbox", { name: "Send __proto__" }).check();
        await page.getByLabel("__proto__", { exact: true }).selectOption({ index: 1 });
        await page.getByRole("button", { name: "Call", exact: true }).click();
        await page.locator(".verdict", { hasText: "Error" }).waitFor();
        await page.screenshot({ path: file("hostile"), fullPage: true });
        for (const width of [1360, 390]) {
            await page.setViewportSize({ width, height: 900 });
            const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
            assert.ok(wide <= 0, `at ${width} pixels the page is ${wide} pixels too wide`);
        }
        await page.screenshot({ path: file("hostile-phone"), fullPage: true });
        const elements = await page.evaluate(() => document.querySelectorAll("main script, main img, main [onerror], main a[href^='javascript']").length);
        assert.equal(elements, 0);
        assert.ok(!(await page.title()).includes("owned") || (await page.title()).includes("<img"));
        assert.match(await page.locator("pre.failure").textContent(), /<img src=x/);
        await close();
    }],
    ["the policy forbids what the page does not need", async driver => {
        const { page } = await open(driver, address);
        const outcomes = await page.evaluate(async () => {
            const fails = async attempt => {
                try {
                    await attempt();
                    return false;
                } catch {
                    return true;
                }
            };
            const loads = (element, key, value) => new Promise(resolve => {
                element.onload = () => resolve(true);
                element.onerror = () => resolve(false);
                element[key] = value;
                document.body.append(element);
            });
            const script = document.createElement("script");
            const inline = await fails(() => { script.text = "window.ran = true"; document.body.append(script); });
            const style = document.createElement("style");
            style.textContent = "h1 { position: fixed }";
            document.head.append(style);
            return {
                innerHTML: await fails(() => { document.createElement("div").innerHTML = "<b>x</b>"; }),
                // Not in this function: the browser lets the debugger evaluate.
                eval: await new Promise(resolve => { setTimeout(() => fails(() => new Function("return 1")()).then(resolve)); }),
                inlineScript: inline && window.ran !== true,
                inlineStyle: getComputedStyle(document.querySelector("h1")).position !== "fixed",
                otherOrigin: await fails(() => fetch("http://localhost:9/")),
                image: !(await loads(document.createElement("img"), "src", "/samples.png")),
                frame: await loads(document.createElement("iframe"), "src", "/samples").then(() => document.querySelector("iframe").contentDocument === null || document.querySelector("iframe").contentDocument.body.textContent === ""),
                stylesheet: !(await loads(Object.assign(document.createElement("link"), { rel: "stylesheet" }), "href", "/samples")),
            };
        });
        assert.deepEqual(outcomes, { innerHTML: true, eval: true, inlineScript: true, inlineStyle: true, otherOrigin: true, image: true, frame: true, stylesheet: true });
        await page.context().close();
    }],
    ["a page of another site cannot call a tool, read the tools, or frame the page", async driver => {
        const call = JSON.stringify({ name: "wait_for_cancel", arguments: {} });
        const foreign = await foreignPage(`<!doctype html><title>evil</title><h1>evil</h1><iframe src="${address}"></iframe>
            <form method="post" action="${address}?call" enctype="text/plain" target="answer"><input name='{"name":"wait_for_cancel","x":"' value='"}'></form><iframe name="answer"></iframe>`);
        const context = await driver.browser.newContext();
        const page = await context.newPage();
        await page.goto(foreign.address);
        const statuses = [];
        page.on("response", response => { if (response.request().method() === "POST") statuses.push(response.status()); });
        const outcomes = await page.evaluate(async ([address, call]) => {
            const attempt = async (url, options) => {
                try {
                    const response = await fetch(url, options);
                    return response.type === "opaque" ? "opaque" : `read ${response.status}`;
                } catch {
                    return "refused";
                }
            };
            const json = { "content-type": "application/json" };
            return [
                await attempt(`${address}?call`, { method: "POST", headers: json, body: call }),
                await attempt(`${address}?call`, { method: "POST", mode: "no-cors", body: call }),
                await attempt(`${address}?tools`, { method: "POST" }),
            ];
        }, [address, call]);
        assert.deepEqual(outcomes, ["refused", "refused", "refused"]);
        const answered = page.waitForResponse(response => response.request().method() === "POST");
        await page.evaluate(() => document.querySelector("form").submit());
        await answered;
        // The browser asks before it sends JSON, and gets no permission. What it sends without asking is refused.
        assert.ok(statuses.length > 0 && statuses.every(status => status === 403 || status === 415), `${statuses}`);
        const framed = page.frames().find(frame => frame.url().startsWith(address));
        assert.ok(framed === undefined || (await framed.content()).length < 200, "the page was framed");
        await context.close();
        foreign.close();
    }],
];
