-- The steps of the engine. Redis runs each call of this script alone, and stores what it did as a whole.
--
--   KEYS[1]  the prefix of all keys, which has the queue as its hash tag
--   ARGV     the name of a step, and its arguments
--
--   task:ID      a task: call, keep_for, principal, message, repeats, cancelled, worker, outcome, updated_at. Expires after its end
--   waiting      the tasks that no worker has claimed
--   workers      the workers, with the number of their beats
--   held:WORKER  the tasks that a worker has claimed and not acknowledged
--   unfinished   how many tasks have not ended, in all and for each principal
--
-- All times are milliseconds.

local prefix = KEYS[1]
local waiting, workers, unfinished = prefix .. 'waiting', prefix .. 'workers', prefix .. 'unfinished'

local function key_of_task(id)
    return prefix .. 'task:' .. id
end

local function key_of_held(worker)
    return prefix .. 'held:' .. worker
end

-- The clock of Redis, so that the clocks of the workers need not agree.
local function now()
    local time = redis.call('TIME')
    return time[1] * 1000 + math.floor(time[2] / 1000)
end

local function is_unfinished(task)
    return redis.call('HEXISTS', task, 'call') == 1 and redis.call('HEXISTS', task, 'outcome') == 0
end

local function name_of_count(principal)
    return principal and 'of ' .. principal or 'all'
end

local function count(name, change)
    if redis.call('HINCRBY', unfinished, name, change) <= 0 then
        redis.call('HDEL', unfinished, name)
    end
end

local function count_task(principal, change)
    count(name_of_count(nil), change)
    if principal then
        count(name_of_count(principal), change)
    end
end

local function finish(id, outcome)
    local task = key_of_task(id)
    if is_unfinished(task) then
        count_task(redis.call('HGET', task, 'principal'), -1)
        redis.call('HSET', task, 'outcome', outcome, 'updated_at', now())
        redis.call('PEXPIRE', task, redis.call('HGET', task, 'keep_for'))
    end
end

local function is_waiting(task)
    return is_unfinished(task) and redis.call('HEXISTS', task, 'worker') == 0
end

local steps = {}

local function record(id, call, keep_for, principal)
    local task = key_of_task(id)
    redis.call('HSET', task, 'call', call, 'keep_for', keep_for, 'updated_at', now())
    if principal then
        redis.call('HSET', task, 'principal', principal)
    end
    count_task(principal, 1)
end

local function hold(worker, id)
    redis.call('HSET', key_of_task(id), 'worker', worker)
    redis.call('SADD', key_of_held(worker), id)
end

function steps.submit(id, call, keep_for, principal)
    if redis.call('EXISTS', key_of_task(id)) == 1 then
        return redis.error_reply('ERR there is a task with this id')
    end
    record(id, call, keep_for, principal)
    redis.call('RPUSH', waiting, id)
    -- A user may lack the permission for channels. Then workers look for themselves.
    redis.pcall('PUBLISH', prefix, '')
end

-- `replaced` is the outcome of a task that this one replaces, or empty. Returns 1 if the worker has the task now.
function steps.submit_to(worker, replaced, id, call, keep_for, principal)
    local task = key_of_task(id)
    if replaced ~= '' and redis.call('HGET', task, 'outcome') == replaced then
        redis.call('DEL', task)
    end
    redis.call('HSETNX', workers, worker, 0)
    if redis.call('EXISTS', task) == 0 then
        record(id, call, keep_for, principal)
    elseif is_waiting(task) then
        redis.call('LREM', waiting, 0, id)
    else
        return 0
    end
    hold(worker, id)
    return 1
end

function steps.get(id)
    local task = key_of_task(id)
    local record = redis.call('HMGET', task, 'call', 'message', 'outcome', 'updated_at', 'keep_for')
    record[5] = is_waiting(task) and record[4] + record[5] <= now() and 1 or 0
    return record
end

function steps.end_waiting(id, outcome)
    local task = key_of_task(id)
    local waits = is_waiting(task) and tonumber(redis.call('HGET', task, 'repeats') or 0) == 0
    if waits then
        finish(id, outcome)
    end
    return waits and 1 or 0
end

function steps.ask_to_cancel(id)
    local task = key_of_task(id)
    if is_unfinished(task) then
        redis.call('HSET', task, 'cancelled', 1)
    end
end

function steps.unfinished(principal)
    return tonumber(redis.call('HGET', unfinished, name_of_count(principal)) or 0)
end

-- The tasks of a silent worker wait again, before the others. `silent` is names, each with the number of beats that it had.
function steps.beat(worker, ...)
    redis.call('HINCRBY', workers, worker, 1)
    local silent = { ... }
    for i = 1, #silent, 2 do
        if redis.call('HGET', workers, silent[i]) == silent[i + 1] then
            local held = key_of_held(silent[i])
            for _, id in ipairs(redis.call('SMEMBERS', held)) do
                local task = key_of_task(id)
                if is_unfinished(task) then
                    redis.call('HDEL', task, 'worker')
                    redis.call('HINCRBY', task, 'repeats', 1)
                    redis.call('HSET', task, 'updated_at', now())
                    redis.call('LPUSH', waiting, id)
                end
            end
            redis.call('DEL', held)
            redis.call('HDEL', workers, silent[i])
        end
    end
    return redis.call('HGETALL', workers)
end

function steps.claim(worker, at_most)
    -- The tasks of a worker that is not there would never be queued again.
    redis.call('HSETNX', workers, worker, 0)
    local claimed = 0
    while claimed < tonumber(at_most) do
        local id = redis.call('LPOP', waiting)
        if not id then
            break
        end
        local task = key_of_task(id)
        if is_waiting(task) then
            hold(worker, id)
            claimed = claimed + 1
        end
    end
    return claimed
end

function steps.give_back(worker, id)
    if redis.call('SREM', key_of_held(worker), id) == 1 then
        redis.call('HDEL', key_of_task(id), 'worker')
        redis.call('RPUSH', waiting, id)
    end
end

function steps.held(worker)
    local jobs = {}
    for _, id in ipairs(redis.call('SMEMBERS', key_of_held(worker))) do
        local task = key_of_task(id)
        local state = redis.call('HMGET', task, 'repeats', 'cancelled')
        table.insert(jobs, { id, tonumber(state[1] or 0), tonumber(state[2] or 0), is_unfinished(task) and 1 or 0 })
    end
    return jobs
end

function steps.progress(worker, ...)
    local messages = { ... }
    for i = 1, #messages, 2 do
        local task = key_of_task(messages[i])
        if is_unfinished(task) and redis.call('HGET', task, 'worker') == worker then
            redis.call('HSET', task, 'message', messages[i + 1], 'updated_at', now())
        end
    end
end

-- `ends` is ids, each with an outcome, or with an empty text for a task that has ended.
function steps.acknowledge(worker, ...)
    local ends = { ... }
    for i = 1, #ends, 2 do
        if ends[i + 1] ~= '' then
            finish(ends[i], ends[i + 1])
        end
        redis.call('SREM', key_of_held(worker), ends[i])
    end
end

-- Redis checks its memory only until a script has run a command that writes, and this DEL counts as one. So a full Redis refuses only `submit` and `submit_to`:
-- the other steps free memory.
local reads = { get = true, unfinished = true, held = true }
if ARGV[1] ~= 'submit' and ARGV[1] ~= 'submit_to' and not reads[ARGV[1]] then
    redis.call('DEL', prefix .. 'nothing')
end

return steps[ARGV[1]](unpack(ARGV, 2))
