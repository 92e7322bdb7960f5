/** Malicious services as a target of `run`: their certificates, panels, and endless responses. */

import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { panelOf } from '../../bin/run-target.ts'
import { systemClock } from '../../drivers/model/clock.ts'
import { httpClient } from '../../scenarios/runner/target/http.ts'
import { readerOverRest } from '../../scenarios/runner/target/reader.ts'
import { CertificateStore } from '../../server/certificates.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

async function serving(listener: RequestListener, server = createServer(listener)): Promise<number> {
  servers.push(server)
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

describe('a target at https://', () => {
  it('is verified beyond this machine, and only on loopback without verification', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fiscal-rig-ca-'))
    try {
      const { cert, key, ca } = await new CertificateStore(folder, systemClock).material([
        '127.0.0.1',
        'shop.localhost',
      ])
      const received: (string | undefined)[] = []
      const listener: RequestListener = (request, response) => {
        received.push(request.headers.authorization)
        response.end('{}')
      }
      const port = await serving(listener, createTlsServer({ cert, key }, listener))
      // The name resolves to this machine, as if an attacker controlled the network.
      const lookup = (_host: string, _options: object, done: (error: null, all: object[]) => void) =>
        done(null, [{ address: '127.0.0.1', family: 4 }])
      const call = { method: 'GET', path: '/api/x', headers: { Authorization: 'Bearer secret' } }
      const client = httpClient({ lookup: lookup as never })
      await expect(client.send(`https://shop.example:${port}`, call).answer).rejects.toThrow(/certificate.*--ca/)
      expect(received).toEqual([])
      expect((await client.send(`https://127.0.0.1:${port}`, call).answer)?.status).toBe(200)
      client.close()
      // The chain is valid with this CA, but the name is still checked.
      const trusting = httpClient({ lookup: lookup as never, ca: String(ca) })
      await expect(trusting.send(`https://shop.example:${port}`, call).answer).rejects.toThrow(/ALTNAME_INVALID/)
      trusting.close()
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

describe('the control panel that a target names', () => {
  const naming = (panel: unknown, serialNumber: unknown = 'S1') =>
    serving((_request, response) => response.end(JSON.stringify({ panel, serialNumber })))
  const panelWith = async (serialNumber: unknown) => `http://127.0.0.1:${await naming(undefined, serialNumber)}`

  it('is used for a target on this machine that has the same device', async () => {
    const panel = await panelWith('S1')
    expect(await panelOf(`http://127.0.0.1:${await naming(panel)}`)).toBe(panel)
  })

  it.each(['S2', 7, null, {}])('is not used when its device is %j', async (serialNumber) => {
    expect(await panelOf(`http://127.0.0.1:${await naming(await panelWith(serialNumber))}`)).toBeUndefined()
  })

  it('is not used when the target does not name its device', async () => {
    expect(await panelOf(`http://127.0.0.1:${await naming(await panelWith('S1'), null)}`)).toBeUndefined()
  })

  it.each([
    'http://192.168.1.9:65402',
    'http://shop.example/',
    'file:///etc/passwd',
    'http://127.0.0.1@x.example',
    7,
    null,
  ])('is not used when it is %s', async (panel) => {
    const port = await naming(panel)
    expect(await panelOf(`http://127.0.0.1:${port}`)).toBeUndefined()
  })

  it('is not requested from a target on another machine', async () => {
    expect(await panelOf('http://shop.example')).toBeUndefined()
  })

  it('is not reached by a redirect', async () => {
    const other = await naming(await panelWith('S1'))
    const port = await serving((_request, response) =>
      response.writeHead(302, { Location: `http://127.0.0.1:${other}/` }).end(),
    )
    expect(await panelOf(`http://127.0.0.1:${port}`)).toBeUndefined()
  })

  it('is not read endlessly', async () => {
    const port = await serving((_request, response) => endless(response))
    expect(await panelOf(`http://127.0.0.1:${port}`)).toBeUndefined()
  })
})

const PART = Buffer.alloc(1024 * 1024, 0x20)
function endless(response: { write(part: Buffer, done: () => void): unknown; destroyed: boolean }): void {
  const more = () => void (response.destroyed || response.write(PART, more))
  more()
}

describe('the answers of a target', () => {
  it('are cut off when they are too long', async () => {
    const port = await serving((_request, response) => endless(response))
    const client = httpClient()
    await expect(client.send(`http://127.0.0.1:${port}`, { method: 'GET', path: '/' }).answer).rejects.toThrow(
      /answer of more than 32 MiB/,
    )
    client.close()
  })

  it('with every Z report are requested a bounded number of times', async () => {
    let asked = 0
    const paths: string[] = []
    const reader = readerOverRest(({ path }) => {
      paths.push(path)
      if (++asked > 200) throw new Error('asked without end')
      const text = JSON.stringify({ StatusCode: 200, Data: { Number: 1 } })
      return { answer: Promise.resolve({ status: 200, headers: {}, text }), hangUp: () => undefined }
    })
    await expect(reader.numbers()).rejects.toThrow(/more Z reports than any device can store/)
    expect(paths.some((path) => /Infinity|e\+/.test(path))).toBe(false)
  })
})
