// A call: the request, the events of its response, and its questions.

/** Sends one request, and returns its last event. */
async function send(params, signal, onprogress) {
    const response = await post("?call", { signal, headers: { "content-type": "application/json" }, body: toJson(params) });
    if (!response.ok) throw await refusal(response, "the call");
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

/** Calls a tool, and calls again with the answers as long as it asks. Returns the last event, which may be a task, and every exchanged message. */
async function callTool(params, signal, onprogress, ask) {
    const rounds = [];
    for (let round = params; ;) {
        const event = await send(round, signal, onprogress);
        if (event.task) return event;
        rounds.push({ request: round, response: event.mcp });
        if (event.mcp.resultType !== "input_required") return { ...event, rounds };
        const inputResponses = await ask(event.mcp.inputRequests, signal);
        round = { ...params, inputResponses, requestState: event.mcp.requestState };
    }
}

/** Waits for the end of a task. It keeps asking while the server does not answer. */
async function follow(id, signal, say) {
    for (let wait = 1_000; ;) {
        try {
            const response = await post(`?task=${id}`, { signal });
            if (!response.ok) throw await refusal(response, "to show the task");
            const task = parseJson(await response.text());
            if (task.status !== "working") return task;
            say(task.statusMessage ?? "No progress yet");
            wait = task.pollIntervalMs;
        } catch (error) {
            if (!(error instanceof NoAnswer)) throw error;
            say(`${error.message} The page asks again.`);
        }
        await pause(wait, signal);
    }
}

const pause = (milliseconds, signal) => new Promise((resolve_, reject) => {
    const timer = setTimeout(resolve_, milliseconds);
    signal.addEventListener("abort", () => { clearTimeout(timer); reject(signal.reason); });
});

const quoted = text => `'${text.replaceAll("'", "'\\''")}'`;

/** Writes a command for a POSIX shell. The address is in quotes already. */
function curl(address, body) {
    // The shell inserts the token: a command with the token itself would be in the history of the shell.
    const authorization = token === undefined ? "" : " \\\n  --header \"authorization: Bearer $TOKEN\"";
    return `curl ${address}${authorization} \\\n  --header 'content-type: application/json' \\\n  --data ${quoted(toJson(body))}`;
}
