// The list of tools, and what the page says while it has none.

import assert from "node:assert/strict";

import { DESKTOP, PHONE, open } from "./browser.mjs";

/** The browser reports each request that fails on the console. */
const expected = /ERR_|Failed to load/;

export const overview = ({ address: restaurant }, { address: zoo }) => [
    ["there is one list, with a filter on a desktop and a phone", async (driver, file) => {
        for (const viewport of [DESKTOP, PHONE]) {
            const { page, show, accessible, close } = await open(driver, restaurant, { viewport });
            assert.equal(await page.locator('a[href="#/find_tables"]').count(), 1);
            const filter = page.getByRole("searchbox", { name: "Filter the tools" });
            await filter.fill("table guest");
            const items = page.locator("#list li:visible");
            assert.equal(await items.count(), 2);
            await filter.fill("no such tool");
            await page.getByText("No tool has these words.").waitFor();
            await accessible("a filter that finds nothing");
            await filter.fill("book");
            await page.screenshot({ path: file(`filter-${viewport.width}`) });
            await show("book_table");
            assert.equal(await page.locator("#list").isVisible(), viewport === DESKTOP);
            if (viewport === PHONE) await page.getByRole("link", { name: "All tools" }).click();
            assert.equal(await filter.inputValue(), "book");
            assert.equal(await items.count(), 2);
            await close();
        }
    }],
    ["the filter stays in view in a long list", async driver => {
        for (const viewport of [DESKTOP, PHONE]) {
            const { page, show, close } = await open(driver, zoo, { viewport });
            const filter = page.getByRole("searchbox", { name: "Filter the tools" });
            const isInView = () => filter.evaluate(element => document.elementFromPoint(...(({ x, y }) => [x + 20, y + 9])(element.getBoundingClientRect())) === element);
            await page.locator("#list li").nth(100).evaluate(item => item.scrollIntoView());
            assert.ok(await isInView(), "on the overview");
            if (viewport === DESKTOP) {
                await show("wait_for_cancel");
                assert.ok(await isInView(), "beside a tool");
                const below = await page.locator("#list [aria-current]").evaluate(link => link.getBoundingClientRect().bottom - innerHeight);
                assert.ok(below < 1, `the tool is ${below} pixels below the window`);
            }
            await close();
        }
    }],
    ["the sizes are sorted, and one that is much larger does not flatten the others", async driver => {
        const { page, close } = await open(driver, zoo);
        const rows = await page.locator("#list li").evaluateAll(items => items.map(item => {
            const bar = item.querySelector(".bar");
            const width = [...bar.children].reduce((sum, part) => sum + part.getBoundingClientRect().width, 0) / bar.getBoundingClientRect().width;
            return { name: item.querySelector("code").textContent, width, isCut: bar.matches(".cut"), bytes: Number(item.querySelector(".size").innerText.replace(/\D/g, "")) };
        }));
        assert.deepEqual(rows.map(({ bytes }) => bytes), rows.map(({ bytes }) => bytes).toSorted((a, b) => b - a));
        assert.equal(rows[0].name, "labelled");
        const { width, bytes: median } = rows[rows.length >> 1];
        const isLarge = ({ bytes }) => bytes > 10 * median;
        assert.deepEqual(rows.filter(({ isCut }) => isCut), rows.filter(isLarge));
        assert.ok(rows.filter(isLarge).length < 10 && rows.some(({ isCut, width }) => !isCut && width > 0.99), "the longest whole bar fills its row");
        assert.ok(width > 0.1, `the bar of the median is ${width}`);
        await page.getByLabel("Sort the tools").selectOption("by name");
        const titles = await page.locator("#list a > span").allTextContents();
        assert.deepEqual(titles, titles.toSorted((a, b) => a.localeCompare(b)));
        await close();
    }],
    ["the page says that it loads, and that the server does not answer", async driver => {
        const context = await driver.browser.newContext();
        const page = await context.newPage();
        let answer;
        await page.route("**/?tools", async route => {
            await new Promise(resolve => { answer = resolve; });
            await route.abort();
        });
        await page.goto(restaurant);
        await page.getByText("Loading the tools…").waitFor();
        answer();
        await page.locator("main").getByText("The server does not answer.").waitFor();
        await page.unroute("**/?tools");
        await page.route("**/?tools", route => route.fulfill({ contentType: "text/html", body: "<h1>Log in</h1>" }));
        await page.getByRole("button", { name: "Try again" }).click();
        await page.locator("main").getByText("The answer of the server is not a list of tools.").waitFor();
        await page.unroute("**/?tools");
        await page.getByRole("button", { name: "Try again" }).click();
        await page.getByRole("heading", { name: "Restaurant" }).waitFor();
        await context.close();
    }],
    ["a call that the server does not answer keeps the form, and says why there is no result", async driver => {
        const { page, show, close } = await open(driver, restaurant, { expected });
        await show("cook");
        await page.getByLabel("courses", { exact: true }).fill("3");
        await page.route("**/?call", route => route.abort());
        await page.getByRole("button", { name: "Call", exact: true }).click();
        await page.locator(".verdict", { hasText: "No result" }).waitFor();
        await page.locator("main").getByText("The server does not answer.").waitFor();
        await page.unroute("**/?call");
        await page.route("**/?call", route => route.fulfill({ contentType: "text/event-stream", body: "" }));
        await page.getByRole("button", { name: "Call", exact: true }).click();
        await page.locator("main").getByText("The connection ended before the result. The tool may have run.").waitFor();
        assert.equal(await page.getByLabel("courses", { exact: true }).inputValue(), "3");
        await close();
    }],
    ["a field says whether it is required and may be null, and a tab counts the findings that it shows", async driver => {
        const { page, show, accessible, close } = await open(driver, restaurant);
        await page.route("**/?tools", async route => {
            const response = await route.fetch();
            const overview = await response.json();
            const tool = overview.tools.find(({ definition }) => definition.name === "find_tables");
            tool.definition.inputSchema.properties.note = { type: ["string", "null"], title: "A note" };
            const finding = { tool: "find_tables", severity: "advice", problem: "it is long", help: "shorten it" };
            overview.findings = [{ ...finding, client: "one" }, { ...finding, client: "another" }, { ...finding, problem: "it is slow", client: "one" }];
            await route.fulfill({ response, json: overview });
        });
        await page.reload();
        await page.waitForSelector("h1");
        await show("find_tables");
        const isRequired = name => page.getByLabel(name, { exact: true }).getAttribute("aria-required");
        assert.deepEqual([await isRequired("guests"), await isRequired("time")], ["true", null]);
        await page.getByRole("checkbox", { name: /^Send (a )?note$/i }).check();
        const note = page.locator(".row").filter({ has: page.locator(":scope > .head > .name", { hasText: /^(a )?note$/i }) });
        assert.deepEqual(await note.getByRole("combobox").locator("option").allTextContents(), ["Choose…", "string", "null"]);
        await page.getByRole("tab", { name: "Findings (2)" }).click();
        assert.equal(await page.locator(".findings:visible li").count(), 2);
        await accessible("a tool with findings");
        await close();
    }],
];
