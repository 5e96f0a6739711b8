// The browser, the servers, and what every page is watched for.

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

/** Exit code of a check that cannot run on this machine. */
const SKIPPED = 77;

export async function launch(home) {
    const require = createRequire(`${home}/`);
    const { chromium } = require("playwright-core");
    const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
    try {
        const packed = (await import(pathToFileURL(require.resolve("@sparticuz/chromium")))).default;
        // `--no-sandbox`: as root, as in a container, Chromium starts only so. None of the package's own flags: they turn web security off.
        const browser = await chromium.launch({ executablePath: await packed.executablePath(), args: ["--no-sandbox", "--font-render-hinting=none"] });
        return { browser, axe };
    } catch (error) {
        console.log(`no Chromium can be started here: ${error.message.split("\n")[0]}`);
        process.exit(SKIPPED);
    }
}

/** Starts a server that prints its address. `said` has its further lines. */
export async function serve(command, ...args) {
    const child = spawn(command, args, { stdio: ["ignore", "ignore", "pipe"] });
    process.on("exit", () => child.kill());
    const said = [];
    const address = await new Promise((resolve, reject) => {
        createInterface(child.stderr).on("line", line => {
            said.push(line);
            const found = /(?:open|listening on) (http:\S+)/.exec(line);
            if (found) resolve(found[1]);
        });
        child.on("exit", code => reject(new Error(`${command} exited with ${code}: ${said.join("\n")}`)));
    });
    return { address, said };
}

/** How often axe-core has looked at a page, and how many rules it has found met. */
export const audits = { runs: 0, rules: 0 };

export const PHONE = { width: 390, height: 844 };
export const DESKTOP = { width: 1360, height: 900 };

/** Opens a page that must load nothing from elsewhere and report no error but those that match `expected`. `close` checks that. */
export async function open({ browser, axe }, address, { scheme = "light", viewport = DESKTOP, clipboard = false, expected = /^$/, until = "h1" } = {}) {
    const context = await browser.newContext({ colorScheme: scheme, viewport, reducedMotion: "reduce", hasTouch: viewport === PHONE,
        permissions: clipboard ? ["clipboard-read", "clipboard-write"] : [] });
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    // On a busy machine, Chromium sometimes fails to capture a long page.
    const capture = page.screenshot.bind(page);
    page.screenshot = async (options, tries = 3) => {
        try {
            return await capture(options);
        } catch (error) {
            if (tries === 1) throw error;
            return page.screenshot(options, tries - 1);
        }
    };
    const requests = [];
    const errors = [];
    page.on("request", request => requests.push(request.url()));
    page.on("console", message => { if (["error", "warning"].includes(message.type())) errors.push(message.text()); });
    page.on("pageerror", error => errors.push(error.message));
    await page.goto(address);
    await page.waitForSelector(until);
    return {
        page,
        show: async name => {
            // The page has added its listener before this one.
            await page.evaluate(name => new Promise(resolve => {
                addEventListener("hashchange", resolve, { once: true });
                location.hash = `#/${encodeURIComponent(name)}`;
            }), name);
        },
        accessible: async what => {
            if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe);
            const { violations, passes } = await page.evaluate(() => window.axe.run(document));
            audits.runs++;
            audits.rules += passes.length;
            const found = violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`));
            if (found.length > 0) throw new Error(`axe-core, ${what}:\n${found.slice(0, 5).join("\n")}`);
        },
        close: async () => {
            const unexpected = errors.filter(text => !expected.test(text));
            const { origin } = new URL(address);
            const outside = requests.filter(url => !url.startsWith(`${origin}/`) && !url.startsWith("data:"));
            if (outside.length > 0) throw new Error(`requests to elsewhere: ${outside}`);
            if (unexpected.length > 0) throw new Error(`the console has errors:\n${unexpected.join("\n")}`);
            await context.close();
        },
    };
}
