// Shared by both TypeScript clients: lists the tools, makes the calls of a file of rows, and prints the results. clients.py documents the output.
//
//     node client_v1.mjs TARGET ERA ROWS

import { readFileSync } from 'node:fs';

const [target, era, rows] = process.argv.slice(2);

const say = (line) => console.log(JSON.stringify(line));

async function call(client, callTool, isProtocolError, row) {
    const progress = [];
    const report = ({ progress: done, total = null, message = null }) => progress.push([done, total, message]);
    // A call that times out is an error like any other.
    const options = { timeout: 30_000, ...(row.progress && { onprogress: report }) };
    const params = { name: row.tool, arguments: row.arguments, ...(row.send && { _meta: row.send }) };
    try {
        return { answer: await callTool(client, params, options), progress };
    } catch (error) {
        // Any other error means that the client itself refuses the response, for example a value that violates the listed schema.
        return isProtocolError(error) ? { error: { code: error.code, message: error.message } } : { refused: String(error) };
    }
}

export async function session({ connect, callTool, isProtocolError }) {
    const { client, version } = await connect(JSON.parse(target), era);
    say({ version: version() });
    say({ tools: (await client.listTools()).tools });
    for (const [index, row] of JSON.parse(readFileSync(rows, 'utf8')).entries()) {
        say({ row: index, ...(await call(client, callTool, isProtocolError, row)) });
    }
    await client.close();
    // A timer for the next attempt to open a stream would keep the process alive for seconds.
    process.exit();
}
