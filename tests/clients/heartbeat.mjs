// A TypeScript client whose time-out of two seconds starts again with each progress report.
//
//     node heartbeat.mjs TARGET CLIENT TOOL SECONDS
//
// Prints `ok` and the number of reports, or the error.

import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as Stdio1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as Http1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Client as Client2, StreamableHTTPClientTransport as Http2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as Stdio2 } from '@modelcontextprotocol/client/stdio';

const [target, name, tool, seconds] = process.argv.slice(2);
const [Client, Stdio, Http] = name === 'typescript-1' ? [Client1, Stdio1, Http1] : [Client2, Stdio2, Http2];

const { url, command } = JSON.parse(target);
const client = new Client({ name, version: '1.0.0' });
await client.connect(url ? new Http(new URL(url)) : new Stdio({ command: command[0], args: command.slice(1), stderr: 'ignore' }));

let reports = 0;
const options = { timeout: 2_000, resetTimeoutOnProgress: true, onprogress: () => (reports += 1) };
const request = { name: tool, arguments: { seconds: Number(seconds) } };
try {
    // The first version takes a schema of the result before the options.
    const result = await (name === 'typescript-1' ? client.callTool(request, undefined, options) : client.callTool(request, options));
    console.log(JSON.stringify({ ok: !result.isError, reports }));
} catch (error) {
    console.log(JSON.stringify({ error: String(error.message), reports }));
}
await client.close();
process.stdout.write('', () => process.exit());
