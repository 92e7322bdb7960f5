import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { connectToQueue } from '../../bin/commands/queue-connection.ts'
import { queueAddress } from '../../scenarios/campaign/queue/address.ts'
import { reachQueue } from '../../scenarios/campaign/queue/connection.ts'
import { otherSettings, type Settings } from '../../scenarios/campaign/queue/settings.ts'
import { revision } from '../../scenarios/campaign/source-revision.ts'
import { runToEnd } from '../support/in-process.ts'
import { freePort } from '../support/redis.ts'

const OWN = revision()

describe('the address of a queue', () => {
  it.each([
    ['redis://host', { host: 'host', port: 6379, database: 0, isTls: false }],
    ['redis://host:7000/3', { host: 'host', port: 7000, database: 3, isTls: false }],
    ['rediss://u:p%40ss@[::1]:7000', { host: '::1', port: 7000, isTls: true, user: 'u', password: 'p@ss' }],
    ['redis://:secret@host/', { host: 'host', database: 0, password: 'secret' }],
  ])('may be %s', (text, expected) => {
    const address = queueAddress(text)
    expect(address).toMatchObject(expected)
    expect(address.publicAddress).not.toMatch(/secret|p@ss|p%40ss|u:/)
  })

  it.each([
    '',
    'host:6379',
    'http://host',
    'redis://',
    'redis://host/one',
    'redis://host/0/1',
    'redis://host:0',
    'redis://host?x=1',
  ])('cannot be %j', (text) => {
    expect(() => queueAddress(text)).toThrow(RangeError)
  })

  it.each([
    ['', 2, 'expected redis://HOST'],
    ['redis://u:hidden@host/one', 2, 'expected redis://HOST'],
  ])('is refused: %j ends with exit status %d', async (text, status, message) => {
    const problem = await connectToQueue(text).catch((error: unknown) => error)
    expect(problem).toMatchObject({ status, message: expect.stringContaining(message) })
    expect(String(problem)).not.toContain('hidden')
  })

  it('without a listener ends with exit status 3', async () => {
    const port = await freePort()
    const problem = await connectToQueue(`redis://u:hidden@127.0.0.1:${port}`).catch((error: unknown) => error)
    expect(problem).toMatchObject({ status: 3, message: expect.stringContaining(`redis://127.0.0.1:${port}/0 cannot`) })
    expect(String(problem)).not.toContain('hidden')
  })

  it('with a listener that accepts connections and stays silent is reported in time', async () => {
    const mute = createServer().listen(0, '127.0.0.1')
    await once(mute, 'listening')
    const address = queueAddress(`redis://127.0.0.1:${(mute.address() as AddressInfo).port}`)
    try {
      await expect(reachQueue(address, () => undefined, { withinMs: 100 })).rejects.toThrow(
        `${address.publicAddress} cannot be used: it does not answer within 0.1 s`,
      )
    } finally {
      mute.close()
    }
  })

  it.each([[['campaigns']], [['worker']], [['check', '--runs', '1']]])(
    'without a listener makes the command %j end with exit status 3',
    async (args) => {
      const address = `redis://127.0.0.1:${await freePort()}`
      const { status, out, err } = await runToEnd([...args, '--queue', address])
      expect(err).toContain(`${address}/0 cannot be used: `)
      expect([out, status]).toEqual(['', 3])
    },
  )

  it.each([
    ['redis', "it does not speak Redis's protocol"],
    ['rediss', 'it does not speak TLS'],
  ])('is reported as the address of another server: %s', async (scheme, why) => {
    const other = createHttpServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const address = `${scheme}://127.0.0.1:${(other.address() as AddressInfo).port}`
    const problem = await connectToQueue(address).catch((error: unknown) => error)
    other.close()
    expect(problem).toMatchObject({ status: 3, message: `${address}/0 cannot be used: ${why}` })
  })
})

it('a campaign counts as the same only with the same settings', () => {
  const stored: Settings = { families: ['A', 'C'], seed: 3, runs: 20, chunk: 4, bail: false }
  expect(otherSettings({}, stored)).toEqual([])
  expect(otherSettings({ families: ['A', 'C'], runs: 20 }, stored)).toEqual([])
  expect(otherSettings({ families: ['A'], seed: 3, minutes: 1, bail: true }, stored)).toEqual([
    'families',
    'minutes',
    'bail',
  ])
})

it('the revision covers the sources that a run depends on', () => {
  expect(OWN).toMatch(/^[0-9a-f]{12}$/)
  expect(revision()).toBe(OWN)
})
