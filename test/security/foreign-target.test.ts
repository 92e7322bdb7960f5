/** Services that play a target of `run` and mean harm: certificates, panels, answers without end. */
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { panelOf } from '../../bin/run-target.ts'
import { httpClient } from '../../scenarios/runner/target/http.ts'
import { readerOverRest } from '../../scenarios/runner/target/reader.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
  it('is verified beyond this machine, and without verification is loopback only', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fiscal-rig-ca-'))
    try {
      const { cert, key } = new CertificateStore(folder).leaf()
      const heard: (string | undefined)[] = []
      const listener: RequestListener = (request, response) => {
        heard.push(request.headers.authorization)
        response.end('{}')
      }
      const port = await serving(listener, createTlsServer({ cert, key }, listener))
      // The name leads to this machine, as that of a host does whose line a stranger holds.
      const lookup = (_host: string, _options: object, told: (error: null, all: object[]) => void) =>
        told(null, [{ address: '127.0.0.1', family: 4 }])
      const call = { method: 'GET', path: '/api/x', headers: { Authorization: 'Bearer secret' } }
      const client = httpClient({ lookup: lookup as never })
      await expect(client.send(`https://shop.example:${port}`, call).answer).rejects.toThrow(/certificate.*--ca/)
      expect(heard).toEqual([])
      expect((await client.send(`https://127.0.0.1:${port}`, call).answer)?.status).toBe(200)
      client.close()
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

describe('the panel that a target names', () => {
  const naming = (panel: unknown) => serving((_request, response) => response.end(JSON.stringify({ panel })))

  it('is taken for a target of this machine', async () => {
    const port = await naming('http://127.0.0.1:65402')
    expect(await panelOf(`http://127.0.0.1:${port}`)).toBe('http://127.0.0.1:65402')
  })

  it.each(['http://192.168.1.9:65402', 'http://shop.example/', 'file:///etc/passwd', 'http://127.0.0.1@x.example', 7, null])(
    'is not taken when it is %s',
    async (panel) => {
      const port = await naming(panel)
      expect(await panelOf(`http://127.0.0.1:${port}`)).toBeUndefined()
    },
  )

  it('is not asked of a target elsewhere', async () => {
    let asked = 0
    const port = await serving((_request, response) => {
      asked++
      response.end('{"panel":"http://127.0.0.1:65402"}')
    })
    const elsewhere = ((_url: URL, options: RequestInit) => fetch(`http://127.0.0.1:${port}`, options)) as typeof fetch
    expect(await panelOf('http://shop.example', elsewhere)).toBeUndefined()
    expect(asked).toBe(0)
  })

  it('is not followed to by a redirect', async () => {
    const other = await naming('http://127.0.0.1:65402')
    const port = await serving((_request, response) =>
      response.writeHead(302, { Location: `http://127.0.0.1:${other}/` }).end(),
    )
    expect(await panelOf(`http://127.0.0.1:${port}`)).toBeUndefined()
  })

  it('is not read without end', async () => {
    const port = await serving((_request, response) => endless(response))
    expect(await panelOf(`http://127.0.0.1:${port}`)).toBeUndefined()
  })
})

const PART = Buffer.alloc(1024 * 1024, 0x20)
function endless(response: { write(part: Buffer, done: () => void): unknown; destroyed: boolean }): void {
  const more = () => void (response.destroyed || response.write(PART, more))
  more()
}

describe('answers of a target', () => {
  it('end where they are too long', async () => {
    const port = await serving((_request, response) => endless(response))
    const client = httpClient()
    await expect(client.send(`http://127.0.0.1:${port}`, { method: 'GET', path: '/' }).answer).rejects.toThrow(
      /answer of more than 32 MiB/,
    )
    client.close()
  })

  it('that has every Z report are asked a bounded number of times', async () => {
    let asked = 0
    const paths: string[] = []
    const reader = readerOverRest(({ path }) => {
      paths.push(path)
      if (++asked > 200) throw new Error('asked without end')
      const text = JSON.stringify({ StatusCode: 200, Data: { Number: 1 } })
      return { answer: Promise.resolve({ status: 200, headers: {}, text }), hangUp: () => undefined }
    })
    await expect(reader.numbers()).rejects.toThrow(/more Z reports than a device has/)
    expect(paths.some((path) => /Infinity|e\+/.test(path))).toBe(false)
  })
})
