-- The script for wrk that calls one tool, `add`. It counts the responses with a result, and all others.

local params = '{"name":"add","arguments":{"a":2,"b":3},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",'
    .. '"io.modelcontextprotocol/clientCapabilities":{}}}'
local threads = {}
results, others = 0, 0

function setup(thread)
    table.insert(threads, thread)
end

function init()
    wrk.method = "POST"
    wrk.headers["content-type"] = "application/json"
    wrk.headers["accept"] = "application/json, text/event-stream"
    wrk.headers["mcp-protocol-version"] = "2026-07-28"
    wrk.headers["mcp-method"] = "tools/call"
    wrk.headers["mcp-name"] = "add"
    wrk.body = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":' .. params .. "}"
end

function response(status, _, body)
    if status == 200 and body:find('"structuredContent":5', 1, true) then
        results = results + 1
    else
        others = others + 1
    end
end

function done(summary)
    local sums = { results = 0, others = 0 }
    for _, thread in ipairs(threads) do
        for name in pairs(sums) do
            sums[name] = sums[name] + thread:get(name)
        end
    end
    io.write(string.format('REPORT {"results":%d,"others":%d}\n', sums.results, sums.others))
end
