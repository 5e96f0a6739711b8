// The TypeScript client for versions before 2026-07-28, which most programs still use.

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema, McpError } from '@modelcontextprotocol/sdk/types.js';
import { session } from './session.mjs';

async function connect({ url, command }, era, user) {
    const client = new Client({ name: 'client-v1', version: '1.0.0' }, { capabilities: user ? { elicitation: {} } : {} });
    if (user) client.setRequestHandler(ElicitRequestSchema, ({ params }, { signal }) => user.answer(params.message, signal));
    const transport = url
        ? new StreamableHTTPClientTransport(new URL(url))
        : new StdioClientTransport({ command: command[0], args: command.slice(1), stderr: 'ignore' });
    let version;
    // The client only passes the negotiated version to the transport.
    const tell = transport.setProtocolVersion?.bind(transport);
    transport.setProtocolVersion = (negotiated) => {
        version = negotiated;
        tell?.(negotiated);
    };
    await client.connect(transport);
    return { client, version: () => version };
}

await session({
    connect,
    callTool: (client, params, options) => client.callTool(params, undefined, options),
    // The client throws the same class if it refuses a result itself; no row expects that.
    isProtocolError: (error) => error instanceof McpError
});
