// Opens the page of `http::Page` in a browser, and uses it as a person does.
//
// Usage: page.mjs HOME RESTAURANT ZOO EVERYTHING    HOME has node_modules and gets the screenshots; the others are the servers
//        `examples/servers/page.rs`, `tests/examples/zoo_page.rs` and `examples/servers/everything_server`

import { mkdirSync } from "node:fs";

import { audits, launch, serve } from "./browser.mjs";
import { calls } from "./calls.mjs";
import { everything } from "./everything.mjs";
import { forms } from "./forms.mjs";
import { overview } from "./overview.mjs";
import { restaurant } from "./restaurant.mjs";
import { security } from "./security.mjs";
import { tasks } from "./tasks.mjs";
import { token } from "./token.mjs";
import { zoo } from "./zoo.mjs";

const [home, restaurantServer, zooServer, everythingServer] = process.argv.slice(2);
mkdirSync(`${home}/screenshots`, { recursive: true });
const driver = await launch(home);
const [one, other, third] = await Promise.all([
    serve(restaurantServer, "127.0.0.1:0"), serve(zooServer), serve(everythingServer, "--http", "127.0.0.1:0"),
]);

let passed = 0;
const checks = [
    ...restaurant(one), ...tasks(one), ...forms(one, other), ...overview(one, other), ...calls(one, other), ...zoo(other), ...security(other), ...everything(third),
    ...token(other),
];
for (const [name, check] of checks) {
    const start = performance.now();
    try {
        await check(driver, path => `${home}/screenshots/${path}.png`);
    } catch (error) {
        console.log(`FAILED ${name}\n${error.stack}\n${passed} passed, 1 failed`);
        process.exit(1);
    }
    passed++;
    console.log(`${name} (${Math.round(performance.now() - start)} ms)`);
}
await driver.browser.close();
console.log(`${passed} passed, 0 failed; axe-core looked ${audits.runs} times and found ${audits.rules} rules met`);
process.exit(0);
