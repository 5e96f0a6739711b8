// Both TypeScript clients, for callers of different tenants. callers.py documents the arguments and the output.
//
//     node callers.mjs CALLERS

import * as v2 from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

// One store for all callers, as a host has that connects to a server in the name of several users.
const responseCacheStore = new v2.InMemoryResponseCacheStore();

function create(client, era, principal) {
    const info = { name: 'caller', version: '1.0.0' };
    if (client === 'typescript-1') return [new ClientV1(info), HttpV1, StdioV1];
    const versionNegotiation = { mode: era === 'modern' ? 'auto' : 'legacy' };
    const options = { versionNegotiation, responseCacheStore, cachePartition: principal };
    return [new v2.Client(info, options), v2.StreamableHTTPClientTransport, StdioV2];
}

/** Returns the code of an error, or the text of one that has none. */
async function failure(promise) {
    try {
        return { answer: await promise };
    } catch (error) {
        return { code: error.code, message: error.message };
    }
}

async function visit({ client: name, era, principal, url, token, command, env, own, foreign, lacking }) {
    const [client, Http, Stdio] = create(name, era, principal);
    const transport = url
        ? new Http(new URL(url), { requestInit: { headers: { authorization: `Bearer ${token}` } } })
        : new Stdio({ command: command[0], args: command.slice(1), env, stderr: 'ignore' });
    let requests = 0;
    const send = transport.send.bind(transport);
    transport.send = (message, options) => {
        requests += message.method === 'tools/list';
        return send(message, options);
    };
    await client.connect(transport);
    const lists = [];
    for (let times = 0; times < 3; times += 1) lists.push((await client.listTools()).tools.map((tool) => tool.name));
    const line = { lists, requests, own: await client.callTool({ name: own, arguments: {} }) };
    line.foreign = await failure(client.callTool({ name: foreign, arguments: {} }));
    if (lacking) line.lacking = await failure(client.callTool({ name: lacking, arguments: { text: 'stolen', cents: 1 } }));
    await client.close();
    return line;
}

for (const caller of JSON.parse(process.argv[2])) console.log(JSON.stringify(await visit(caller)));
process.exit();
