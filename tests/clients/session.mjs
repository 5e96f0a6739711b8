// Shared by both TypeScript clients: lists the tools, makes the calls of a file of rows, and prints the results. clients.py documents the output.
//
//     node client_v1.mjs TARGET ERA ROWS

import { readFileSync } from 'node:fs';
import { User } from './user.mjs';

const [target, era, rows] = process.argv.slice(2);

const say = (line) => console.log(JSON.stringify(line));

async function call(client, callTool, isProtocolError, user, row) {
    const progress = [];
    const report = ({ progress: done, total = null, message = null }) => progress.push([done, total, message]);
    const controller = new AbortController();
    const questions = user.begin(row, () => {
        if (row.exit) process.exit();
        if (row.abort) controller.abort();
    });
    // A call that times out is an error like any other.
    const options = { timeout: row.timeout ?? 30_000, signal: controller.signal, ...(row.progress && { onprogress: report }) };
    const params = { name: row.tool, arguments: row.arguments, ...(row.send && { _meta: row.send }) };
    try {
        const answer = await callTool(client, params, options);
        return { answer, progress, ...(await user.end(questions)) };
    } catch (error) {
        const asked = await user.end(questions);
        if (row.ended) return { ended: String(error), ...asked };
        // Any other error means that the client itself refuses the response, for example a value that violates the listed schema.
        return isProtocolError(error) ? { error: { code: error.code, message: error.message }, ...asked } : { refused: String(error) };
    }
}

export async function session({ connect, callTool, isProtocolError }) {
    const user = new User();
    const { client, version } = await connect(JSON.parse(target), era, user);
    say({ version: version() });
    say({ tools: (await client.listTools()).tools });
    let silent;
    const make = async (row, index) => {
        if (row.silent) silent ??= (await connect(JSON.parse(target), era)).client;
        say({ row: index, ...(await call(row.silent ? silent : client, callTool, isProtocolError, user, row)) });
    };
    const together = [];
    for (const [index, row] of JSON.parse(readFileSync(rows, 'utf8')).entries()) {
        if (row.together) {
            together.push(make(row, index));
            continue;
        }
        await Promise.all(together.splice(0));
        await make(row, index);
    }
    await Promise.all(together);
    await Promise.all([client.close(), silent?.close()]);
    // A timer for the next attempt to open a stream would keep the process alive for seconds.
    process.exit();
}
