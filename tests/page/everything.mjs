// The page beside the other services of one server.

import assert from "node:assert/strict";

import { open } from "./browser.mjs";

export const everything = ({ address }) => [
    ["the page is mounted beside an endpoint and plain HTTP", async driver => {
        const { page, show, accessible, close } = await open(driver, new URL("/page", address).href);
        assert.equal(await page.locator("#brand").textContent(), "everything");
        await show("in_region");
        await page.getByLabel("region", { exact: true }).fill("eu");
        await page.getByRole("button", { name: "Call", exact: true }).click();
        await page.locator(".verdict", { hasText: "Success" }).waitFor();
        await accessible("a tool of everything_server");
        await close();
    }],
    ["a sound says its exact size", async driver => {
        const { page, show, close } = await open(driver, new URL("/page", address).href);
        await show("test_audio_content");
        await page.getByRole("button", { name: "Call", exact: true }).click();
        await page.locator("figcaption", { hasText: /^audio\/wav · 124 bytes$/ }).waitFor();
        await close();
    }],
];
