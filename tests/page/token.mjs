// The page behind a layer that checks bearer tokens.

import assert from "node:assert/strict";

import { open } from "./browser.mjs";

/** The browser reports each 401 on the console. */
const expected = /status of 401/;

const dialog = page => page.getByRole("dialog", { name: "The server wants a token" });

async function enter(page, token) {
    await dialog(page).getByLabel("Token", { exact: true }).fill(token);
    await dialog(page).getByRole("button", { name: "Continue" }).click();
}

export const token = ({ address }) => {
    const locked = new URL("/locked", address).href;
    return [
        ["without a token nobody sees a tool", async (driver, file) => {
            const { page, accessible, close } = await open(driver, locked, { expected, until: "dialog" });
            await dialog(page).waitFor();
            assert.equal(await page.evaluate(() => document.activeElement.type), "password");
            await accessible("the dialog for a token");
            await page.screenshot({ path: file("token") });
            assert.ok(!(await page.content()).includes("wait_for_cancel"));
            for (const query of ["?tools", "?call"]) {
                const status = await page.evaluate(query => fetch(query, { method: "POST", body: "{}" }).then(({ status }) => status), query);
                assert.equal(status, 401, query);
            }
            await page.keyboard.press("Escape");
            await page.locator("main", { hasText: "the server wants a token, and none was entered" }).waitFor();
            await close();
        }],
        ["a token opens the page, is only in its memory, and can be replaced", async (driver, file) => {
            const { page, show, accessible, close } = await open(driver, locked, { expected, until: "dialog" });
            const sent = [];
            page.on("request", request => sent.push(request.allHeaders().then(({ authorization }) => [request.url(), authorization])));
            await enter(page, "two words");
            await dialog(page).getByText("This is not a token").waitFor();
            await enter(page, "wrong-token");
            await dialog(page).getByText("The server refused this token.").waitFor();
            await accessible("a refused token");
            await page.screenshot({ path: file("token-refused") });
            await enter(page, " Bearer first-token ");
            await page.locator("#list li").first().waitFor();
            await show("fail");
            await page.getByRole("button", { name: "Call", exact: true }).click();
            await page.locator(".verdict", { hasText: "Error" }).waitFor();
            assert.match(await page.locator("pre.failure").textContent(), /the paint is dry/);
            await page.getByText("Request", { exact: true }).first().click();
            await page.locator(".request pre", { hasText: "authorization: Bearer $TOKEN" }).waitFor();

            // From now on the server refuses this token: the call waits for the next one.
            await page.request.get(new URL("/next", address).href);
            await page.getByRole("button", { name: "Call", exact: true }).click();
            await enter(page, "second-token");
            await page.locator(".verdict", { hasText: "Error" }).waitFor();
            assert.ok(await page.locator("dialog").count() === 0);

            await page.locator(".calls li").nth(1).waitFor();
            const found = await page.evaluate(() => [document.documentElement.outerHTML, location.href, document.cookie, JSON.stringify({ ...localStorage, ...sessionStorage })].join("\n"));
            for (const secret of ["first-token", "second-token", "wrong-token"]) assert.ok(!found.includes(secret), secret);
            const { origin } = new URL(locked);
            const requests = await Promise.all(sent);
            assert.ok(requests.some(([, authorization]) => authorization === "Bearer second-token"));
            for (const [url, authorization] of requests) assert.ok(url.startsWith(`${origin}/locked`) || authorization === undefined, url);
            await page.reload();
            await dialog(page).waitFor();
            await close();
        }],
    ];
};
