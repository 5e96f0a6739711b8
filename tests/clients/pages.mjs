// Both TypeScript clients, which follow the cursors of tools to the end.
//
//     node pages.mjs TARGET CLIENT ERA TOOLS
//
// Prints a line for each tool of TOOLS: the results of its pages. The server decides what a page is, so the loop knows no limit.

import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as Stdio1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as Http1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Client as Client2, StreamableHTTPClientTransport as Http2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as Stdio2 } from '@modelcontextprotocol/client/stdio';

const [target, name, era, tools] = process.argv.slice(2);
const [Client, Stdio, Http] = name === 'typescript-1' ? [Client1, Stdio1, Http1] : [Client2, Stdio2, Http2];

const { url, command } = JSON.parse(target);
const versionNegotiation = { mode: era === 'modern' ? 'auto' : 'legacy' };
const client = new Client({ name, version: '1.0.0' }, name === 'typescript-1' ? {} : { versionNegotiation });
await client.connect(url ? new Http(new URL(url)) : new Stdio({ command: command[0], args: command.slice(1), stderr: 'ignore', env: process.env }));
await client.listTools();

// What a model does: it reads where the next page is, in the value or in the last block.
function nextCursor({ structuredContent, content }) {
    return structuredContent ? structuredContent.next_cursor : content.at(-1).text.match(/`cursor`: "([\w-]+)"$/)?.[1];
}

for (const { tool, argument, ...rest } of JSON.parse(tools)) {
    const pages = [];
    for (let cursor; ; ) {
        const page = await client.callTool({ name: tool, arguments: { ...rest.arguments, ...(cursor && { [argument]: cursor }) } });
        pages.push(page);
        cursor = nextCursor(page);
        if (!cursor) break;
    }
    console.log(JSON.stringify({ tool, pages }));
}
await client.close();
// A timer for the next attempt to open a stream would keep the process alive for seconds.
process.stdout.write('', () => process.exit());
