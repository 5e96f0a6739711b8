// A call: the request, the events of its response, and its questions.

/** Sends one request, and returns its last event. */
async function send(params, signal, onprogress) {
    const response = await post("?call", { signal, headers: { "content-type": "application/json" }, body: toJson(params) });
    if (!response.ok) {
        const problem = await response.json().catch(() => ({}));
        throw new RequestError(`The server refused the call with status ${response.status}: ${problem.detail ?? response.statusText}`);
    }
    let last;
    try {
        for await (const message of events(response.body)) {
            const event = parseJson(message);
            if (event.progress) onprogress(event.progress);
            else last = event;
        }
    } catch (error) {
        // Of a connection, a browser only says that it failed.
        if (!(error instanceof TypeError)) throw error;
    }
    if (last === undefined) throw new RequestError("The connection ended before the result. The tool may have run.");
    if (last.error) throw new RequestError(`${last.error.message} (code ${last.error.code})`);
    return last;
}

/** Yields the data of each event of a stream. The server writes each on one line. */
async function* events(body) {
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    const parts = [];
    for (;;) {
        const { value, done } = await reader.read();
        if (done) return;
        // A large event comes in many parts, which are joined once.
        parts.push(value);
        if (!value.includes("\n")) continue;
        const lines = parts.join("").split("\n");
        parts.splice(0, parts.length, lines.pop());
        for (const line of lines) {
            if (line.startsWith("data: ")) yield line.slice(6);
        }
    }
}

/** The `params` of MCP's `tools/call`. */
function paramsOf(tool, callArguments, version) {
    return {
        name: tool.definition.name,
        arguments: callArguments,
        _meta: {
            progressToken: 1,
            "io.modelcontextprotocol/protocolVersion": version,
            "io.modelcontextprotocol/clientInfo": { name: "mcp-tool-page", version: "1" },
            "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } },
        },
    };
}

/** Calls a tool, and calls again with the answers as long as it asks. Returns the last event and every exchanged message. */
async function callTool(params, signal, onprogress, ask) {
    const rounds = [];
    for (let round = params; ;) {
        const event = await send(round, signal, onprogress);
        rounds.push({ request: round, response: event.mcp });
        if (event.mcp.resultType !== "input_required") return { ...event, rounds };
        const inputResponses = await ask(event.mcp.inputRequests, signal);
        round = { ...params, inputResponses, requestState: event.mcp.requestState };
    }
}

const quoted = text => `'${text.replaceAll("'", "'\\''")}'`;

/** Writes a command for a POSIX shell. The address is in quotes already. */
function curl(address, body) {
    // The shell inserts the token: a command with the token itself would be in the history of the shell.
    const authorization = token === undefined ? "" : " \\\n  --header \"authorization: Bearer $TOKEN\"";
    return `curl ${address}${authorization} \\\n  --header 'content-type: application/json' \\\n  --data ${quoted(toJson(body))}`;
}
