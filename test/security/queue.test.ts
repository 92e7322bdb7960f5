/** A program that can write to the queue attacks the programs that read the queue, on a real Redis. */
import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { queueAddress } from '../../scenarios/campaign/queue/address.ts'
import { Board, chunkQueue } from '../../scenarios/campaign/queue/campaign-board.ts'
import { type Queue, reachQueue } from '../../scenarios/campaign/queue/connection.ts'
import { REPLY_MAX_BYTES, ReplyMeter, ReplyTooLarge } from '../../scenarios/campaign/queue/reply-meter.ts'
import type { Settings } from '../../scenarios/campaign/queue/settings.ts'
import { revision } from '../../scenarios/campaign/source-revision.ts'
import { type Running, start } from '../support/command.ts'
import { runToEnd } from '../support/in-process.ts'
import { hasRedis, type RedisServer, redisServer } from '../support/redis.ts'

const SETTINGS: Settings = { families: ['A'], seed: 3, runs: 2, chunk: 1, bail: false }
const OWN = revision()
const PATIENCE = { timeout: 60_000, interval: 50 }
const FORGED = 'x\nall is well: done'

describe.skipIf(!hasRedis)('a queue to which an attacker writes', () => {
  let server: RedisServer
  let address: string
  let stranger: Redis
  let queue: Queue
  let board: Board
  const processes: Running[] = []

  beforeAll(async () => {
    server = await redisServer([])
    await server.start()
    address = `redis://127.0.0.1:${server.port}`
    stranger = new Redis({ port: server.port })
    queue = await reachQueue(queueAddress(address), () => undefined)
    board = new Board(queue)
  })
  afterEach(async () => {
    const all = processes.splice(0)
    for (const { child } of all) child.kill('SIGKILL')
    await Promise.all(all.map(({ ended }) => ended))
    await stranger.flushall()
  })
  afterAll(async () => {
    stranger.disconnect()
    queue.redis.disconnect()
    await server.end()
  })

  const begin = (args: readonly string[]): Running => {
    const running = start([...args, '--queue', address], {})
    processes.push(running)
    return running
  }
  const key = (name: string, what = ''): string => `fiscal-rig:campaign:${name}${what}`
  const run = async (...args: readonly string[]) => {
    const { status, out, err } = await runToEnd(['campaigns', ...args, '--queue', address])
    return { status, out, err }
  }
  const add = async (data: unknown, id = 'forged'): Promise<void> => {
    const { name, prefix } = chunkQueue(OWN)
    const at = `${prefix}:${name}`
    await stranger.hset(`${at}:${id}`, {
      name: 'chunk',
      data: JSON.stringify(data),
      opts: '{}',
      timestamp: 1,
      delay: 0,
    })
    await stranger.hset(`${at}:${id}`, { priority: 0 })
    await stranger.lpush(`${at}:wait`, id)
    await stranger.zadd(`${at}:marker`, 0, '0')
  }

  it.each([
    ['settings that are not JSON', { settings: '{"families":' }, 'campaign.settings: expected JSON'],
    ['no settings but a number', { settings: '7' }, 'campaign.settings: '],
    [
      'a length that would need all memory',
      { settings: { ...SETTINGS, length: 1e9 } },
      'length: expected a whole number',
    ],
    ['an unknown family', { settings: { ...SETTINGS, families: ['A', '__proto__'] } }, 'families.1: expected A'],
    ['an unknown member', { settings: { ...SETTINGS, 'x\ny': 1 } }, 'has the unknown member x\\u000ay'],
    ['a profile of no device', { settings: { ...SETTINGS, profile: FORGED } }, 'profile: expected a profile'],
    ['an unknown state', { state: FORGED }, 'campaign.state: expected running, over'],
    ['an invalid time', { beganAt: '1e400' }, 'campaign.beganAt: expected a whole number'],
    ['a count without end', { dealt: '999999999999' }, 'campaign.dealt: expected at most'],
    ['invalid sums', { 'A runs': 'many' }, 'sums of A.runs: expected a whole number'],
    ['an invalid list', { 'A notRun': '{"length":9}' }, 'sums of A.notRun: expected a list'],
    ['a text of megabytes', { trouble: 'x'.repeat(3_000_000) }, 'trouble: expected at most 65536 bytes'],
  ])('shows the other campaigns next to one that has %s', async (_what, members, problem) => {
    await board.create('good', OWN, SETTINGS)
    await board.create('bad', OWN, SETTINGS)
    for (const [name, value] of Object.entries(members))
      await stranger.hset(key('bad'), name, typeof value === 'string' ? value : JSON.stringify(value))
    const { status, out, err } = await run()
    expect([status, err]).toEqual([0, ''])
    expect(out).toMatch(/^good: running, 0 of 2 runs/m)
    expect(out).toContain('bad: cannot be read: ')
    expect(out).toContain(problem)
    expect(out.trimEnd().split('\n')).toHaveLength(2)
    const only = await run('bad')
    expect([only.status, only.err]).toEqual([
      3,
      expect.stringContaining('The queue has a campaign that cannot be read: '),
    ])
    const json = JSON.parse((await run('--json')).out)
    expect(json).toMatchObject([{ name: 'good' }, { name: 'bad', problem: expect.any(String) }])
  })

  it.each([
    ['campaign', ''],
    ['list of violations', ':violations'],
    ['set of completed chunks', ':done'],
  ])('shows the other campaigns next to one whose %s is of another type', async (_what, part) => {
    await board.create('good', OWN, SETTINGS)
    await stranger.hset('fiscal-rig:campaigns', 'bad', OWN)
    await stranger.hset(key('bad'), { id: 'x', settings: JSON.stringify(SETTINGS) })
    await stranger.del(key('bad', part))
    await stranger.sadd(key('bad', part), 'member')
    const { status, out } = await run()
    expect(status).toBe(0)
    expect(out).toContain('good: running')
    expect(out).toMatch(/bad: cannot be read: expected a \w+, found a set/)
  })

  it('forges no line by the name of a campaign, a worker, a problem or a violation', async () => {
    await board.create('good', OWN, SETTINGS)
    await stranger.hset('fiscal-rig:campaigns', { [FORGED]: OWN, '\u001b[2Jx': OWN })
    await stranger.hset(key('good'), { trouble: FORGED })
    await stranger.hset(key('good', ':workers'), { [`${FORGED} since`]: 1 })
    const one = { family: 'A', seed: 1, slow: false, steps: [] }
    const failure = { seed: 1, path: '0', why: `a${FORGED}`, words: [FORGED], trace: [FORGED], shrinks: 0, chunk: 0 }
    await stranger.rpush(key('good', ':violations'), JSON.stringify({ ...failure, case: one }))
    for (const args of [[], ['good']]) {
      const { out } = await run(...args)
      expect(out).not.toMatch(/^all is well/m)
      expect(out).not.toContain('\u001b')
    }
    const { out } = await run('good')
    expect(out).toContain('reproduce with: npx fiscal-rig check --family A --seed 1 --path 0\n')
  })

  it.each([
    ['path', { path: '0; rm -rf ~' }],
    ['seed', { seed: '1; rm -rf ~' }],
    ['profile', { case: { family: 'A', seed: 1, slow: false, steps: [], profile: '$(id)' } }],
    ['family', { case: { family: 'A; id', seed: 1, slow: false, steps: [] } }],
    ['family of another campaign', { case: { family: 'B', seed: 1, slow: false, steps: [] } }],
  ])('makes a worker print no injected command: %s', async (_what, wrong) => {
    await board.create('good', OWN, SETTINGS)
    const one = { family: 'A', seed: 1, slow: false, steps: [] }
    const failure = { seed: 1, path: '0', why: 'a', words: [], trace: [], shrinks: 0, chunk: 0, case: one, ...wrong }
    await stranger.rpush(key('good', ':violations'), JSON.stringify(failure))
    const { status, out, err } = await run('good')
    expect(status).toBe(3)
    expect(err).toContain('cannot be read: violation.')
    expect(out).not.toContain('reproduce with')
  })

  it('refuses a chunk of 1e9 steps, which no other worker gets, and continues', async () => {
    await board.create('hurt', OWN, SETTINGS)
    const { id } = (await board.campaign('hurt')) as { id: string }
    await add({ campaign: 'hurt', id, index: 0, settings: { ...SETTINGS, length: 1e9 } })
    await add({ campaign: '../x\ny', id: FORGED, index: -1, settings: null }, 'nonsense')
    const worker = begin(['worker', '--cores', '1'])
    await expect
      .poll(async () => (await board.campaign('hurt'))?.trouble, PATIENCE)
      .toContain('length: expected a whole')
    await expect.poll(() => worker.log(), PATIENCE).toMatch(/^a chunk in the queue is not run: chunk\.campaign: /m)
    const { name, prefix } = chunkQueue(OWN)
    const left = ['wait', 'active', 'failed', 'delayed'].map((list) => `${prefix}:${name}:${list}`)
    await expect.poll(() => stranger.exists(...left.slice(0, 2)), PATIENCE).toBe(0)
    expect(worker.log()).not.toContain('    at ')
    const dealer = begin(['check', '--campaign', 'next', '--family', 'A', '--runs', '2', '--seed', '3'])
    expect((await dealer.ended).status).toBe(0)
    expect(worker.child.exitCode).toBeNull()
  })

  it('ends a worker with a readable message for a job that would fill its memory, but not for a job without JSON', async () => {
    await add('', 'empty')
    const { name, prefix } = chunkQueue(OWN)
    await stranger.hset(`${prefix}:${name}:empty`, 'data', '{"campaign":')
    const worker = begin(['worker', '--cores', '1'])
    const dealer = begin(['check', '--campaign', 'behind', '--family', 'A', '--runs', '2', '--seed', '3'])
    expect((await dealer.ended).status).toBe(0)
    await add('x'.repeat(40_000_000), 'huge')
    const { status, err } = await worker.ended
    expect([status, err]).toEqual([3, expect.stringContaining('it sent a value of more than 16 MiB')])
    expect(err).not.toContain('    at ')
  })

  it('sets a chunk aside during which two workers have ended, and says so', async () => {
    await board.create('deadly', OWN, SETTINGS)
    const deadly = (await board.campaign('deadly')) as { name: string; id: string }
    expect(await board.take(deadly, 'first', 1)).toBe('run')
    expect(await board.take(deadly, 'first', 1)).toBe('run')
    // A worker that stops gives its chunk back, which does not count as a crash.
    expect(await board.take(deadly, 'stopped', 1)).toBe('run')
    await board.giveBack(deadly, 'stopped', 1)
    expect(await board.take(deadly, 'second', 1)).toBe('run')
    expect(await board.take(deadly, 'third', 1)).toBe('set aside')
    expect(await board.take(deadly, 'third', 1)).toBe('leave')
    const worker = begin(['worker', '--cores', '1'])
    const { status, err } = await begin(['check', '--campaign', 'deadly']).ended
    expect(status).toBe(1)
    const message = 'chunk 1 (family A, seed 4) was set aside: 2 workers ended while they ran it'
    expect(err).toContain(
      `${message}; the command that runs this chunk alone: npx fiscal-rig check --family A --seed 4 --runs 1 --chunk 1`,
    )
    expect((await run('deadly')).out).toContain(`  ${message}`)
    expect(JSON.parse((await run('deadly', '--json')).out)).toMatchObject([
      { state: 'done', runsDone: 1, setAside: [1] },
    ])
    expect(worker.child.exitCode).toBeNull()
  })

  it('adds no more chunks than may wait, whatever number is stored as distributed', async () => {
    await board.create('dealt', OWN, { ...SETTINGS, runs: 99_999_999 })
    await stranger.hset(key('dealt'), 'dealt', 99_000_000)
    expect(await board.missing('dealt', 99_000_000, 10_000)).toHaveLength(10_000)
  })

  it('is closed with a readable message when its data would fill the memory', async () => {
    await stranger.hset('fiscal-rig:campaigns', 'x'.repeat(40_000_000), OWN)
    const before = process.memoryUsage().rss
    const { status, err } = await run()
    expect(status).toBe(3)
    expect(err).toMatch(/ cannot be used: it sent a value of more than 16 MiB/)
    expect(process.memoryUsage().rss - before).toBeLessThan(256 * 1024 * 1024)
  }, 30_000)
})

describe('the meter of replies', () => {
  const meterOf = (parts: readonly Buffer[]) => () => {
    const meter = new ReplyMeter()
    for (const part of parts) meter.read(part)
  }
  const reply = Buffer.from(`*3\r\n$3\r\na\nb\r\n:7\r\n$-1\r\n+OK\r\n%1\r\n+a\r\n*0\r\n`)

  it('counts each reply separately, however it is cut', () => {
    const pieces = Array.from({ length: 400_000 }, () => reply)
    expect(meterOf([Buffer.concat(pieces)])).not.toThrow()
    const single = [...reply].map((byte) => Buffer.of(byte))
    expect(meterOf(Array.from({ length: 20 }, () => single).flat())).not.toThrow()
  })

  it.each([
    ['a value', [Buffer.from(`$${REPLY_MAX_BYTES + 1}\r\n`)]],
    ['a list', [Buffer.from('*999999999\r\n')]],
    ['a line without end', Array.from({ length: 20 }, () => Buffer.alloc(1_000_000, 'x'))],
    ['many small values', [Buffer.from('*9000000\r\n'), ...Array.from({ length: 9 }, () => Buffer.from('$0\r\n\r\n'.repeat(400_000)))]], // biome-ignore format: a table
  ])('stops at a reply that is too large: %s', (_what, parts) => {
    expect(meterOf(parts)).toThrow(ReplyTooLarge)
  })
})
