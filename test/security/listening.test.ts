/** A service that the whole network reaches must have been meant; one without HTTPS makes no certificates. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { FREE_PORTS, type Running, start } from '../support/command.ts'
import { runToEnd } from '../support/in-process.ts'

let folder: string
const running: Running[] = []
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fiscal-rig-listening-'))
})
afterEach(async () => {
  for (const { child, ended } of running.splice(0)) {
    child.kill('SIGKILL')
    await ended
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const MEMORY = ['serve', '--data', 'memory', ...FREE_PORTS]

async function served(...args: string[]) {
  const service = start([...args, '--json'], { cwd: folder })
  running.push(service)
  return { service, line: await service.ready() }
}

function config(name: string, content: object): string {
  const file = join(folder, name)
  writeFileSync(file, JSON.stringify(content))
  return file
}

describe('beyond loopback', () => {
  it.each(['0.0.0.0', '::', '', '127.1', 'somewhere.localhost', '::ffff:0.0.0.0'])(
    'without a key and without --open "%s" ends with status 2, and says why',
    async (host) => {
      const { status, err, out } = await runToEnd([...MEMORY, '--host', host], { cwd: folder })
      expect([status, out]).toEqual([2, ''])
      expect(err).toMatch(/can be reached from the network, and without apiKey everybody there can print/)
      expect(err).toContain('--open')
    },
  )

  it('of the configuration, too, and a configuration that says open is warned of in start line and log', async () => {
    const closed = config('closed.json', { listen: { host: '0.0.0.0' } })
    expect((await runToEnd([...MEMORY, '--config', closed])).status).toBe(2)
    const { service, line } = await served(
      ...MEMORY,
      '--config',
      config('o.json', { listen: { host: '0.0.0.0', open: true } }),
    )
    const warning = 'open: without apiKey everybody who reaches 0.0.0.0 can print on this device'
    expect(line).toMatchObject({ warning })
    expect(service.log()).toContain(warning)
  })

  it('with --open it is warned of; with a key, and on loopback, there is nothing to warn of', async () => {
    expect((await served(...MEMORY, '--host', '0.0.0.0', '--open')).line['warning']).toContain('everybody')
    const key = config('key.json', { apiKey: 'a-key-of-some-length' })
    expect((await served(...MEMORY, '--host', '0.0.0.0', '--config', key)).line).not.toHaveProperty('warning')
    for (const host of ['127.0.0.1', 'localhost', '127.0.0.2']) {
      expect((await served(...MEMORY, '--host', host)).line).not.toHaveProperty('warning')
    }
  })
})

describe('--no-https', () => {
  it('opens no port for it, makes no certificate, and says so when it is asked for the address', async () => {
    const data = join(folder, 'data')
    const { line } = await served('serve', '--data', data, '--no-https', ...FREE_PORTS)
    expect(line).not.toHaveProperty('https')
    expect(existsSync(join(data, 'certificates'))).toBe(false)
    const answer = await fetch(`${line['http']}/get-secure-api-address`)
    expect([answer.status, await answer.json()]).toEqual([
      500,
      { StatusCode: 500, Message: 'HTTPS is switched off in this service (--no-https).' },
    ])
    const { line: other } = await served(...MEMORY, '--config', config('no.json', { listen: { https: false } }))
    expect(other).not.toHaveProperty('https')
  })
})
