// The TypeScript client for 2026-07-28, which also supports older versions.

import { Client, ProtocolError, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { session } from './session.mjs';

async function connect({ url, command }, era, user) {
    const versionNegotiation = { mode: era === 'modern' ? 'auto' : 'legacy' };
    const capabilities = user ? { elicitation: {} } : {};
    const client = new Client({ name: 'client-v2', version: '1.0.0' }, { capabilities, versionNegotiation });
    if (user) client.setRequestHandler('elicitation/create', ({ params }, { mcpReq }) => user.answer(params.message, mcpReq.signal));
    const transport = url
        ? new StreamableHTTPClientTransport(new URL(url))
        : new StdioClientTransport({ command: command[0], args: command.slice(1), stderr: 'ignore' });
    await client.connect(transport);
    return { client, version: () => client.getNegotiatedProtocolVersion() };
}

await session({
    connect,
    callTool: (client, params, options) => client.callTool(params, options),
    isProtocolError: (error) => error instanceof ProtocolError
});
