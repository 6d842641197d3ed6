import type { Redis } from 'ioredis';

/**
 * KEYS[1] the bank's mark, KEYS[2…] entries; ARGV[1] a mark for a bank that has none, ARGV[2] milliseconds until a mark is forgotten.
 * Answers with the mark and the entries, as they are at one moment.
 */
const look = `
local mark = redis.call('GET', KEYS[1])
if not mark then mark = ARGV[1] end
redis.call('SET', KEYS[1], mark, 'PX', ARGV[2])
local found = redis.call('MGET', unpack(KEYS, 2))
table.insert(found, 1, mark)
return found
`;

/**
 * KEYS[1] the bank's head; ARGV[1] a position, ARGV[2] milliseconds until it is forgotten. Never backwards: positions sort byte by byte,
 * which Lua's own comparison does only in some locales. Answers with 1 when it was stored.
 */
const raise = `
local before = redis.call('GET', KEYS[1])
if before then
  local given = ARGV[1]
  local shared = math.min(#before, #given)
  local order = #given - #before
  for at = 1, shared do
    local difference = string.byte(given, at) - string.byte(before, at)
    if difference ~= 0 then order = difference; break end
  end
  if order <= 0 then return 0 end
end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
`;

/**
 * KEYS[1] a token's bucket; ARGV[1] calls a minute, ARGV[2] calls wanted now. By Redis's own clock, which all processes share.
 * Answers with 0 when they may be made, else with the milliseconds until then.
 */
const take = `
local limit, wanted = tonumber(ARGV[1]), tonumber(ARGV[2])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local bucket = redis.call('HMGET', KEYS[1], 'left', 'at')
local left = limit
if bucket[1] then left = math.min(limit, tonumber(bucket[1]) + math.max(0, now - tonumber(bucket[2])) * limit / 60000) end
local wait = 0
if left + 0.00001 >= wanted then left = math.max(0, left - wanted) else wait = math.ceil((wanted - left) * 60000 / limit) end
redis.call('HSET', KEYS[1], 'left', string.format('%.6f', left), 'at', string.format('%d', now))
redis.call('PEXPIRE', KEYS[1], 60000)
return wait
`;

/** As ioredis defines them: sent by their hash, and whole where the server has forgotten them. */
export const scripts = {
  hlLook: { lua: look },
  hlRaise: { lua: raise, numberOfKeys: 1 },
  hlTake: { lua: take, numberOfKeys: 1 },
};

/** A client with the scripts. */
export interface Scripted extends Redis {
  hlLookBuffer(numberOfKeys: number, ...keysThenArguments: (string | number)[]): Promise<(Buffer | null)[]>;
  hlRaise(key: string, position: string, ttlMs: number): Promise<number>;
  hlTake(key: string, perMinute: number, calls: number): Promise<number>;
}
