-- The script for wrk. It sends calls of ten tools in turn; three of the calls fail, one of them with a panic. It counts results, error
-- results among them, and all other responses.

local calls = {
    { "value_object", "{}" },
    { "test_error_handling", "{}" },
    { "value_echoed", '{"text":"a text","digit":7,"flags":[true,false],"names":{"a":"b"}}' },
    { "Calculator.Add", '{"a":10,"b":5}' },
    { "value_echoed", '{"digit":10,"flags":["yes"],"nam":{}}' },
    { "value_array", "{}" },
    { "list_users", '{"limit":2}' },
    { "fail_panicking", "{}" },
    { "value_recursive", '{"tree":{"name":"a","children":[{"name":"b"}]}}' },
    { "get_weather_data", '{"location":"San Francisco"}' },
}

local meta = '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}'
local threads, requests, turn = {}, {}, 0
results, errors, others = 0, 0, 0

function setup(thread)
    table.insert(threads, thread)
end

function init()
    for index, call in ipairs(calls) do
        local headers = {
            ["content-type"] = "application/json",
            ["accept"] = "application/json, text/event-stream",
            ["mcp-protocol-version"] = "2026-07-28",
            ["mcp-method"] = "tools/call",
            ["mcp-name"] = call[1],
        }
        local params = '{"name":"' .. call[1] .. '","arguments":' .. call[2] .. "," .. meta .. "}"
        local body = '{"jsonrpc":"2.0","id":' .. index .. ',"method":"tools/call","params":' .. params .. "}"
        requests[index] = wrk.format("POST", nil, headers, body)
    end
end

function request()
    turn = turn % #requests + 1
    return requests[turn]
end

function response(status, _, body)
    if status == 200 and body:find('"isError":false', 1, true) then
        results = results + 1
    elseif status == 200 and body:find('"isError":true', 1, true) then
        errors = errors + 1
    else
        others = others + 1
    end
end

function done(summary, latency)
    local sums = { results = 0, errors = 0, others = 0 }
    for _, thread in ipairs(threads) do
        for name in pairs(sums) do
            sums[name] = sums[name] + thread:get(name)
        end
    end
    local failed = summary.errors
    io.write(string.format(
        'REPORT {"requests":%d,"results":%d,"errors":%d,"others":%d,"failed":%d,"seconds":%.3f,"p50":%d,"p99":%d}\n',
        summary.requests, sums.results, sums.errors, sums.others,
        failed.connect + failed.read + failed.write + failed.status + failed.timeout,
        summary.duration / 1e6, latency:percentile(50), latency:percentile(99)
    ))
end
