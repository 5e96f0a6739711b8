-- The steps of the engine. Redis runs each call of this script alone, and stores what it did as a whole.
--
--   KEYS[1]  the prefix of all keys, which has the queue as its hash tag
--   ARGV     the name of a step, and its arguments
--
--   task:ID      a task: call, principal, message, repeats, cancelled, worker, outcome, updated_at. Expires after its end
--   waiting      the tasks that no worker has claimed
--   workers      the workers, with the time of their last beat
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

local function finish(id, outcome, keep_for)
    local task = key_of_task(id)
    if is_unfinished(task) then
        count_task(redis.call('HGET', task, 'principal'), -1)
        redis.call('HSET', task, 'outcome', outcome, 'updated_at', now())
        redis.call('PEXPIRE', task, keep_for)
    end
end

local steps = {}

function steps.submit(id, call, principal)
    local task = key_of_task(id)
    if redis.call('EXISTS', task) == 1 then
        return redis.error_reply('ERR there is a task with this id')
    end
    redis.call('HSET', task, 'call', call, 'updated_at', now())
    if principal then
        redis.call('HSET', task, 'principal', principal)
    end
    redis.call('RPUSH', waiting, id)
    count_task(principal, 1)
end

function steps.get(id)
    return redis.call('HMGET', key_of_task(id), 'call', 'message', 'outcome', 'updated_at')
end

function steps.cancel(id, outcome, keep_for)
    local task = key_of_task(id)
    if is_unfinished(task) then
        redis.call('HSET', task, 'cancelled', 1)
        if redis.call('HEXISTS', task, 'worker') == 0 then
            finish(id, outcome, keep_for)
        end
    end
end

function steps.unfinished(principal)
    return tonumber(redis.call('HGET', unfinished, name_of_count(principal)) or 0)
end

function steps.beat(worker, lease, takes_over)
    local time = now()
    local last = redis.call('ZSCORE', workers, worker)
    redis.call('ZADD', workers, time, worker)
    -- After a pause, Redis runs the steps that came meanwhile. Perhaps nobody else could beat either.
    if not last or time < tonumber(last) or time - last > lease / 2 then
        return 0
    end
    if takes_over ~= '1' then
        return 1
    end
    for _, silent in ipairs(redis.call('ZRANGEBYSCORE', workers, '-inf', time - lease)) do
        for _, id in ipairs(redis.call('SMEMBERS', key_of_held(silent))) do
            local task = key_of_task(id)
            if is_unfinished(task) then
                redis.call('HDEL', task, 'worker')
                redis.call('HINCRBY', task, 'repeats', 1)
                redis.call('LPUSH', waiting, id)
            end
        end
        redis.call('DEL', key_of_held(silent))
        redis.call('ZREM', workers, silent)
    end
    return 1
end

function steps.claim(worker, up_to)
    -- The tasks of a worker that is not there would never be queued again.
    redis.call('ZADD', workers, 'NX', now(), worker)
    local held = key_of_held(worker)
    while redis.call('SCARD', held) < tonumber(up_to) do
        local id = redis.call('LPOP', waiting)
        if not id then
            return
        end
        local task = key_of_task(id)
        if is_unfinished(task) then
            redis.call('HSET', task, 'worker', worker)
            redis.call('SADD', held, id)
        end
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

function steps.progress(...)
    local arguments = { ... }
    for i = 1, #arguments, 2 do
        local task = key_of_task(arguments[i])
        if is_unfinished(task) then
            redis.call('HSET', task, 'message', arguments[i + 1], 'updated_at', now())
        end
    end
end

function steps.acknowledge(worker, id, outcome, keep_for)
    if outcome then
        finish(id, outcome, keep_for)
    end
    redis.call('SREM', key_of_held(worker), id)
end

-- Redis checks its memory only until a script has run a command that writes, and this DEL counts as one. So a full Redis refuses only `submit`:
-- the other steps free memory.
local reads = { get = true, unfinished = true, held = true }
if ARGV[1] ~= 'submit' and not reads[ARGV[1]] then
    redis.call('DEL', prefix .. 'nothing')
end

return steps[ARGV[1]](unpack(ARGV, 2))
