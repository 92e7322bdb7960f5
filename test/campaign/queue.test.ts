import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as bullmq from 'bullmq'
import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { campaigns } from '../../bin/commands/campaigns.ts'
import { connectToQueue } from '../../bin/commands/queue-connection.ts'
import { systemClock } from '../../drivers/model/clock.ts'
import { queueAddress } from '../../scenarios/campaign/queue/address.ts'
import { Board, type Campaign } from '../../scenarios/campaign/queue/campaign-board.ts'
import { endsInMs } from '../../scenarios/campaign/queue/chunk-distributor.ts'
import { Queue, reachQueue } from '../../scenarios/campaign/queue/connection.ts'
import type { Settings } from '../../scenarios/campaign/queue/settings.ts'
import { revision } from '../../scenarios/campaign/source-revision.ts'
import { CertificateStore } from '../../server/certificates.ts'
import { type Running, start, startNode } from '../support/command.ts'
import { runToEnd } from '../support/in-process.ts'
import { freePort, hasRedis, type RedisServer, redisServer } from '../support/redis.ts'
import { copyWith, DEFECTS } from './defects.ts'

const PASSWORD = 'a-secret-of-this-test'
const OWN = revision()
const ONE_RUN = { runs: 1, requests: 1, hits: 1, simulatedMs: 1, tookMs: 1, notRun: [], family: 'A', seed: 1 } as const

const PATIENCE = { timeout: 120_000, interval: 50 }

async function cutLine(port: number) {
  let isCutNext = false
  const line = createServer((client) => {
    const up = connect(port, '127.0.0.1')
    for (const one of [client, up]) one.on('error', () => undefined)
    client.pipe(up)
    up.on('data', (answers) => {
      const second = answers.indexOf('\n', answers.indexOf('\n') + 1) + 1
      if (!isCutNext || second === 0 || second === answers.length) return client.write(answers)
      isCutNext = false
      return client.end(answers.subarray(0, second), () => up.destroy())
    })
    up.on('close', () => client.destroy())
    client.on('close', () => up.destroy())
  }).listen(0, '127.0.0.1')
  await once(line, 'listening')
  return {
    port: (line.address() as AddressInfo).port,
    cutNextAnswers(): void {
      isCutNext = true
    },
    close: () => line.close(),
  }
}

const needsRedis = (name: string, body: () => void): void => {
  if (hasRedis) describe(name, body)
  else
    it('the campaign over a queue runs (skipped: redis-server is not installed)', (context) =>
      context.skip('redis-server is not installed'))
}

needsRedis('a campaign on a queue', () => {
  let server: RedisServer
  let queue: Redis
  let queueReader: Queue
  let board: Board
  let address: string
  let env: Readonly<Record<string, string>>
  const processes: Running[] = []
  const begin = (args: readonly string[]): Running => {
    const running = start(args, { env: { FISCAL_RIG_QUEUE: address } })
    processes.push(running)
    return running
  }
  const worker = (): Running => begin(['worker', '--cores', '1', '--json'])
  const distribute = (name: string, ...args: string[]): Running =>
    begin(['check', '--queue', address, '--campaign', name, '--json', ...args])

  beforeAll(async () => {
    server = await redisServer(['--requirepass', PASSWORD])
    await server.start()
    address = `redis://:${PASSWORD}@127.0.0.1:${server.port}/1`
    env = { FISCAL_RIG_QUEUE: address }
    queue = new Redis({
      port: server.port,
      password: PASSWORD,
      db: 1,
      maxRetriesPerRequest: null,
      retryStrategy: () => 100,
    })
    queue.on('error', () => undefined)
    queueReader = new Queue(queue, address, () => undefined)
    board = new Board(queueReader)
  })
  afterEach(async () => {
    const all = processes.splice(0)
    for (const { child } of all) child.kill('SIGKILL')
    const results = await Promise.all(all.map(({ ended }) => ended))
    expect(results.filter(({ out, err }) => `${out}${err}`.includes(PASSWORD))).toEqual([])
  })
  afterAll(async () => {
    queue.disconnect()
    await server.end()
  })

  const SMALL = ['--family', 'A,C', '--runs', '16', '--chunk', '4', '--seed', '3']
  const CHUNKS = 8
  const sums = (text: string) =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => ({ ...JSON.parse(line), tookMs: 0 }))
  let alone: Promise<object[]> | undefined
  const onOneCore = (): Promise<object[]> => {
    alone ??= runToEnd(['check', ...SMALL, '--cores', '1', '--json']).then(({ out }) => sums(out))
    return alone
  }
  const campaign = async (name: string): Promise<Campaign> => {
    await expect.poll(() => board.campaign(name), PATIENCE).toBeDefined()
    return (await board.campaign(name)) as Campaign
  }
  const active = () => queue.llen(`fiscal-rig:chunks-${OWN}:active`)

  it('has the same result with three workers of which one is killed in a chunk, even if its distributor is killed too', async () => {
    const first = worker()
    const dealer = distribute('killed', ...SMALL)
    await expect.poll(active, PATIENCE).toBe(1)
    first.child.kill('SIGKILL')
    dealer.child.kill('SIGKILL')
    await Promise.all([first.ended, dealer.ended])
    expect(await active()).toBe(1)
    const { chunksDone } = await campaign('killed')
    expect(chunksDone).toBeLessThan(CHUNKS)
    worker()
    worker()
    await expect.poll(async () => (await campaign('killed')).chunksDone, PATIENCE).toBeGreaterThan(chunksDone)
    const { status, out } = await distribute('killed').ended
    expect(sums(out)).toEqual(await onOneCore())
    expect(status).toBe(0)
    const { state, chunksDone: all } = await campaign('killed')
    expect([state, all]).toEqual(['done', CHUNKS])
  })

  it('tries injection points on two workers as on one core, and is resumed by its name', async () => {
    const places = ['--every', '--family', 'A,B', '--profile', 'ro,b8', '--shard', '5/9000']
    const here = await runToEnd(['check', ...places, '--cores', '1', '--json'])
    worker()
    worker()
    const { status, out } = await distribute('places', ...places).ended
    expect(sums(out)).toEqual(sums(here.out))
    expect(sums(out)).toMatchObject([
      { family: 'A', profile: 'ro', tried: expect.toSatisfy((tried: number) => tried > 20) },
      { family: 'B', profile: 'b8' },
    ])
    expect(status).toBe(here.status)
    const result = await runToEnd(['check', '--queue', address, '--campaign', 'places'])
    expect(result.out).toMatch(/all \d+ places of shard 5\/9000 were tried, \d+ violations, campaign places done, in /)
    const other = await runToEnd(['check', '--queue', address, '--campaign', 'places', '--every', '--family', 'C'])
    expect(other.err).toContain(
      'campaign places has other settings: families A,B, every places of A ro, B b8, shard 5/9000',
    )
    expect(other.status).toBe(2)
  })

  it('stores every violation of a chunk of injection points, each with the command that reproduces it', async () => {
    const every = { devices: [{ family: 'A', profile: 'ro', places: 40 }], pairs: true, part: 1, parts: 1 } as const
    const settings: Settings = { families: ['A'], seed: 1, chunk: 20, bail: false, every }
    await board.create('violations', OWN, settings)
    const it = await campaign('violations')
    const failureAt = (path: string, why: string) => ({
      ...{ seed: 1, path, why, words: ['a step'], trace: Array.from({ length: 500 }, () => 'a frame'), shrinks: 0 },
      place: { name: `place ${path}`, pairs: true },
      case: { family: 'A', profile: 'ro', seed: 1, slow: false, steps: [] } as const,
    })
    const failures = [failureAt('12', 'printed 2 times'), failureAt('2', 'printed 3 times')]
    const tried = { ...ONE_RUN, profile: 'ro', runs: 20 }
    expect(await board.count(it, 0, 'w', { ...tried, failures })).toBe(true)
    expect(await board.count(it, 0, 'w', { ...tried, failures })).toBe(false)
    expect(await board.count(it, 1, 'w', { ...tried, failures: [] })).toBe(true)
    const { status, out } = await runToEnd(['check', '--queue', address, '--campaign', 'violations'])
    expect(out).toContain('family A ro: 40 places, 40 tried, ')
    expect(out).toContain('2 of kind: printed N times\n    place 2: place 2\n    place 12: place 12\n')
    expect(out).toContain('(the last 60 of 60 lines)')
    expect(out).toMatch(/reproduce with: .*check --every --pairs --family A --profile ro --path 2\n/)
    expect(status).toBe(1)
  })

  it('continues after Redis was unavailable, and both sides report it', async () => {
    const hand = worker()
    const dealer = distribute('restarted', ...SMALL)
    await expect.poll(async () => (await campaign('restarted')).chunksDone, PATIENCE).toBeGreaterThan(0)
    await server.kill()
    const lost = `redis://127.0.0.1:${server.port}/1: the connection is lost; waiting for it`
    await expect.poll(() => [hand.log(), dealer.log()].map((log) => log.includes(lost)), PATIENCE).toEqual([true, true])
    await server.start()
    const { status, out, err } = await dealer.ended
    expect(err).toContain('connected again')
    expect(hand.log()).toContain('connected again')
    expect(sums(out)).toEqual(await onOneCore())
    expect(status).toBe(0)
  })

  it('queries again if the connection is lost between two answers to one batch', async () => {
    const line = await cutLine(server.port)
    const messages: string[] = []
    const at = queueAddress(`redis://:${PASSWORD}@127.0.0.1:${line.port}/1`)
    const cut = await reachQueue(at, (text) => messages.push(text))
    const chunks = new bullmq.Queue('cut', { connection: cut.redis, prefix: 'test' })
    try {
      await chunks.waitUntilReady()
      const jobs = Array.from({ length: 100 }, (_nothing, index) => ({
        ...{ name: 'chunk', data: index },
        opts: { jobId: `cut~${index}` },
      }))
      line.cutNextAnswers()
      await cut.ask(() => chunks.addBulk(jobs))
      expect(await chunks.getWaitingCount()).toBe(jobs.length)
      expect(messages).toEqual([
        `${at.publicAddress}: the connection is lost; waiting for it`,
        `${at.publicAddress}: connected again`,
      ])
    } finally {
      await chunks.obliterate({ force: true })
      await chunks.close()
      cut.redis.disconnect()
      line.close()
    }
  })

  it.each([
    ['full', ['CONFIG', 'SET', 'maxmemory', '1'], ['CONFIG', 'SET', 'maxmemory', '0']],
    ['replica', ['REPLICAOF', '127.0.0.1', '1'], ['REPLICAOF', 'NO', 'ONE']],
  ])(
    'continues after Redis has refused commands for a while (%s), and both sides report it',
    async (name, refuse, recover) => {
      const call = ([command = '', ...args]: readonly string[]) => queue.call(command, ...args)
      const hand = worker()
      const first = distribute(name, ...SMALL)
      await expect.poll(async () => (await campaign(name)).chunksDone, PATIENCE).toBeGreaterThan(0)
      await call(refuse)
      const second = distribute(`${name}-second`, '--family', 'A', '--runs', '1', '--seed', '1')
      const at = `redis://127.0.0.1:${server.port}/1`
      const refuses = new RegExp(`^${at} refuses commands \\([A-Z]+ [^)]+\\); waiting for it$`, 'm')
      const logs = () => [hand.log(), second.log()]
      await expect.poll(() => logs().map((log) => refuses.test(log)), PATIENCE).toEqual([true, true])
      await call(recover)
      const { status, out } = await first.ended
      expect(sums(out)).toEqual(await onOneCore())
      expect(status).toBe(0)
      expect((await second.ended).status).toBe(0)
      for (const log of logs()) expect(log.split(`${at} accepts commands again`)).toHaveLength(2)
    },
  )

  it('ends with status 3 on both sides when Redis rejects every login', async () => {
    const both = [worker(), distribute('locked', '--family', 'A', '--minutes', '60', '--chunk', '1', '--seed', '1')]
    await expect.poll(async () => (await campaign('locked')).chunksDone, PATIENCE).toBeGreaterThan(0)
    await queue.config('SET', 'requirepass', 'another')
    await queue.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes')
    try {
      for (const { ended } of both) {
        const { status, err } = await ended
        expect(err).toContain(`redis://127.0.0.1:${server.port}/1 can no longer be used: WRONGPASS`)
        expect(status).toBe(3)
      }
    } finally {
      await queue.config('SET', 'requirepass', PASSWORD)
      await board.setState(await campaign('locked'), 'stopped')
    }
  })

  it('is only for workers with its sources; a violation is stored completely, and the others continue', async () => {
    const defect = DEFECTS.find(({ what }) => what.startsWith('books')) as (typeof DEFECTS)[number]
    const { folder, program } = copyWith(defect)
    try {
      const options = ['--family', 'B', '--runs', '3', '--chunk', '1', '--seed', '2', '--json']
      const queued = ['check', '--queue', address, '--campaign']
      const dealer = startNode([program, ...queued, 'broken', ...options])
      const bailing = startNode([program, ...queued, 'bailing', ...options, '--bail'])
      processes.push(dealer, bailing)
      const { revision: wanted } = await campaign('broken')
      await campaign('bailing')
      const ours = worker()
      await expect
        .poll(() => ours.log(), PATIENCE)
        .toContain(`campaign broken requires revision ${wanted} of the sources, this worker has ${OWN}`)
      expect((await campaign('broken')).chunksDone).toBe(0)
      processes.push(startNode([program, 'worker', '--cores', '1'], { env }))
      const { status, out } = await dealer.ended
      const [{ runs, violations }] = sums(out)
      expect([status, runs]).toEqual([1, 3])
      expect(violations).toHaveLength(3)
      const [violation] = violations
      expect(violation).toMatchObject({ seed: 2, path: expect.stringMatching(/^0:/), case: { family: 'B' } })
      expect(violation.trace.length).toBeGreaterThan(5)
      expect(violation.command).toMatch(/^npx fiscal-rig check --family B --seed 2 --path 0:[\d:]+$/)
      const again = await startNode([program, ...violation.command.split(' ').slice(2)]).ended
      expect(again.out).toContain(`VIOLATION on family B: ${violation.why.split('\n')[0]}`)
      expect(again.status).toBe(1)
      expect((await bailing.ended).status).toBe(1)
      const stopped = await campaign('bailing')
      expect([stopped.state, stopped.chunksDone]).toEqual(['stopped', 1])
      // No second worker has taken a chunk of the campaign.
      expect((await board.workers(await campaign('broken'))).map(({ name }) => name)).toHaveLength(1)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  it('differs from an earlier one of its name of which the queue has lost everything but the chunks', async () => {
    const small = ['--family', 'A', '--runs', '200', '--chunk', '1', '--seed', '9']
    const first = distribute('lost', ...small)
    await expect.poll(async () => (await campaign('lost')).dealt, PATIENCE).toBe(200)
    first.child.kill('SIGKILL')
    await first.ended
    const before = await campaign('lost')
    const left = ['', ':done', ':violations', ':workers'].map((what) => `fiscal-rig:campaign:lost${what}`)
    await queue.del('fiscal-rig:campaigns', ...left)
    // Late actions of a worker or a distributor of the removed campaign do not create it again.
    await board.setDealt(before, 7)
    await board.fail(before, 'lost')
    await board.setState(before, 'done')
    expect(await queue.exists(...left)).toBe(0)
    const second = distribute('lost', ...SMALL)
    const now = await campaign('lost')
    expect(now.id).not.toBe(before.id)
    const result = { ...ONE_RUN, family: 'B' } as const
    expect([await board.take(before, 'old', 1), await board.count(before, 1, 'old', result)]).toEqual(['leave', false])
    worker()
    const { status, out } = await second.ended
    expect(sums(out)).toEqual(await onOneCore())
    expect([status, (await campaign('lost')).chunksDone]).toEqual([0, CHUNKS])
  })

  it('is over for its distributor when another campaign has its name', async () => {
    const dealer = distribute('renamed', '--family', 'A', '--runs', '3', '--seed', '1')
    const { id } = await campaign('renamed')
    await expect.poll(async () => (await campaign('renamed')).dealt, PATIENCE).toBeGreaterThan(0)
    await queue.hset('fiscal-rig:campaign:renamed', 'id', 'another')
    const { status, err } = await dealer.ended
    expect(err).toContain('the queue has another campaign renamed now')
    expect(status).toBe(3)
    await board.setState({ name: 'renamed', id: 'another' }, 'stopped')
    expect(id).toMatch(/^[0-9a-f]{16}$/)
  })

  it('counts no result after its end, and does not change then', async () => {
    const settings: Settings = { families: ['A'], seed: 1, runs: 3, chunk: 1, bail: true }
    await board.create('ended', 'a-revision', settings)
    const it = await campaign('ended')
    const failure = { seed: 1, path: '0', why: 'twice', words: [], trace: [], shrinks: 0 }
    const one = { family: 'A', seed: 1, slow: false, steps: [] } as const
    expect(await board.count(it, 1, 'w', { ...ONE_RUN, failure: { ...failure, case: one } })).toBe(true)
    expect(await board.count(it, 0, 'w', { ...ONE_RUN, failure: { ...failure, case: one } })).toBe(false)
    await board.setState(it, 'over')
    await board.fail(it, 'too late')
    const { state, chunksDone, sums: kept, trouble } = await campaign('ended')
    expect([state, chunksDone, kept.violations().length, trouble]).toEqual(['stopped', 1, 1, undefined])
  })

  it('is shown as over at the end of its time, even without a distributor', async () => {
    const settings: Settings = { families: ['A'], seed: 1, minutes: 0.001, chunk: 1, bail: false }
    await board.create('left', 'a-revision', settings)
    await expect.poll(async () => (await campaign('left')).state, PATIENCE).toBe('over')
    expect((await board.running()).map(({ name }) => name)).not.toContain('left')
    const it = await campaign('left')
    expect(await board.take(it, 'late', 0)).toBe('leave')
    await board.setState(it, 'done')
    expect((await campaign('left')).state).toBe('done')
  })

  it('reports each violation once, whichever arrives first', async () => {
    const settings: Settings = { families: ['A'], seed: 1, runs: 3, chunk: 1, bail: false }
    await board.create('reported', OWN, settings)
    const it = await campaign('reported')
    const one = { family: 'A', seed: 1, slow: false, steps: [] } as const
    const brought = (index: number) => {
      const failure = { seed: 1, path: '0', why: `why ${index}`, words: [], trace: [], shrinks: 0, case: one }
      return board.count(it, index, 'w', { ...ONE_RUN, failure })
    }
    const dealer = distribute('reported')
    for (const index of [2, 0, 1]) {
      await brought(index)
      await expect.poll(() => dealer.log(), PATIENCE).toContain(`violation on family A: why ${index}`)
    }
    const { err, status } = await dealer.ended
    expect(err.match(/^violation on family A: why \d$/gm)).toEqual(
      [2, 0, 1].map((n) => `violation on family A: why ${n}`),
    )
    expect(status).toBe(1)
  })

  it('is refused in one line to a user without the right, without the library’s own message', async () => {
    await queue.call('ACL', 'SETUSER', 'bob', 'on', '>word', '~*', '+@all', '-info')
    await queue.call('ACL', 'SETUSER', 'eve', 'on', '>word', '~*', '+info', '+select', '+auth', '+client')
    for (const [user, command] of [
      ['bob', 'info'],
      ['eve', 'hgetall'],
    ]) {
      const { status, err } = await runToEnd(['campaigns', '--queue', `redis://${user}:word@127.0.0.1:${server.port}`])
      const [line, ...more] = err.split('\n')
      expect(line).toContain(`redis://127.0.0.1:${server.port}/0 cannot be used: NOPERM`)
      expect(line).toContain(`'${command}'`)
      expect(more.filter((text) => text !== '' && !text.startsWith('More: '))).toEqual([])
      expect(status).toBe(3)
    }
  })

  it('ends at its time, and is shown with its workers', async () => {
    worker()
    const { status, out } = await distribute('timed', '--minutes', '0.2', '--family', 'A', '--chunk', '1').ended
    const [{ runs }] = sums(out)
    expect([status, runs > 0]).toEqual([0, true])
    const ended = await campaign('timed')
    expect(await endsInMs(queueReader, ended)).toBeLessThan(0)
    const ofAnHour = await endsInMs(queueReader, { ...ended, settings: { ...ended.settings, minutes: 60 } })
    expect(ofAnHour).toBeGreaterThan(0)
    expect(ofAnHour).toBeLessThan(60 * 60_000)
    const { status: shown, out: text } = await begin(['campaigns', 'timed', '--json']).ended
    const name = expect.stringMatching(/-\d+$/)
    expect(JSON.parse(text)).toEqual([
      {
        ...{ name: 'timed', revision: OWN, state: 'done', runs: null, runsDone: runs },
        ...{ requests: expect.any(Number), hits: expect.any(Number), violations: 0 },
        setAside: [],
        workers: [{ name, runsPerSecond: expect.any(Number) }],
      },
    ])
    expect(shown).toBe(0)
    const again = await distribute('timed').ended
    expect(sums(again.out)).toEqual(sums(out))
    expect(again.err).toContain('done; no more chunks will be run; the totals follow')
    expect(again.err).not.toContain('workers may take')
  })

  it('is refused with other settings, and if the queue rejects the worker', async () => {
    await board.create('other', OWN, { families: ['A'], seed: 1, runs: 3, chunk: 1, bail: false })
    const other = await distribute('other', '--seed', '999').ended
    expect([other.status, other.err]).toEqual([2, expect.stringContaining('campaign other has other settings: seed ')])
    const wrong = `redis://:not-the-word@127.0.0.1:${server.port}`
    const problem = await connectToQueue(wrong).catch((error: unknown) => error)
    expect(problem).toMatchObject({ status: 3, message: expect.stringContaining('cannot be used: ') })
    expect(String(problem)).not.toContain('not-the-word')
    const unknown = await campaigns('nobody', { queue: address }).catch((error: unknown) => error)
    expect(unknown).toMatchObject({ status: 2, message: expect.stringContaining('the queue has no campaign nobody') })
    const unnamed = await campaigns('no name', { queue: address }).catch((error: unknown) => error)
    expect(unnamed).toMatchObject({ status: 2 })
  })

  it('is never begun by FISCAL_RIG_QUEUE alone', async () => {
    const before = await queue.hlen('fiscal-rig:campaigns')
    const { status, out } = await begin(['check', '--family', 'A', '--runs', '1', '--seed', '1']).ended
    expect([status, out]).toEqual([0, expect.stringMatching(/^family A, seed 1: 1 runs/)])
    expect(await queue.hlen('fiscal-rig:campaigns')).toBe(before)
  })
})

needsRedis('a queue over TLS', () => {
  it('is reachable only for clients that trust its certificate', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fiscal-rig-tls-'))
    const { cert, key, ca } = await new CertificateStore(folder, systemClock).material(['localhost', '127.0.0.1'])
    const names = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem'), ca: join(folder, 'ca.pem') }
    writeFileSync(names.cert, cert)
    writeFileSync(names.key, key)
    writeFileSync(names.ca, String(ca))
    const secured = await freePort()
    const tls = ['--tls-port', String(secured), '--tls-cert-file', names.cert, '--tls-key-file', names.key]
    const server = await redisServer([...tls, '--tls-ca-cert-file', names.ca, '--tls-auth-clients', 'no'])
    try {
      await server.start()
      const address = `rediss://127.0.0.1:${secured}`
      // Node reads NODE_EXTRA_CA_CERTS only at its start, so this needs a separate process.
      const trusting = await start(['campaigns', '--queue', address, '--json'], {
        env: { NODE_EXTRA_CA_CERTS: names.ca },
      }).ended
      expect(trusting).toMatchObject({ status: 0, out: '[]\n' })
      const problem = await connectToQueue(address).catch((error: unknown) => error)
      expect(problem).toMatchObject({ status: 3, message: expect.stringContaining('certificate') })
    } finally {
      await server.end()
      rmSync(folder, { recursive: true })
    }
  })
})
