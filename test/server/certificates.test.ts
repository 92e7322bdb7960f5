/** The service's own CA and leaf, and that a client which trusts the CA really reaches the secure address. */
import { X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { get } from 'node:https'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SimulatedClock } from '../../drivers/model/clock.ts'
import { CertificateStore, leafNames } from '../../server/certificates.ts'
import { listen } from '../../server/listen.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const NAMES = ['localhost', 'till.example', '127.0.0.1', '::1', '192.168.7.9']
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fiscal-rig-tls-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const clockAt = (days: number) => new SimulatedClock(Date.now() + days * DAY_MS)

describe('the store', () => {
  it('makes a CA and a leaf for all names, with keys that nobody else reads', async () => {
    const { cert, ca } = await new CertificateStore(folder, clockAt(0)).material(NAMES)
    const leaf = new X509Certificate(cert)
    const authority = new X509Certificate(ca as string)
    expect([authority.ca, leaf.ca, leaf.verify(authority.publicKey)]).toEqual([true, false, true])
    expect(leaf.subjectAltName).toBe(
      'DNS:localhost, DNS:till.example, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1, IP Address:192.168.7.9',
    )
    expect(statSync(join(folder, 'certificates', 'ca.key')).mode & 0o777).toBe(0o600)
  })

  it('keeps them over a restart', async () => {
    const first = await new CertificateStore(folder, clockAt(1)).material(NAMES)
    const second = await new CertificateStore(folder, clockAt(300)).material(NAMES.slice(1))
    expect(second.cert).toBe(first.cert)
  })

  it('renews the leaf before it ends or when a name is new, under the same CA', async () => {
    const before = await new CertificateStore(folder, clockAt(1)).material(NAMES)
    const renewed = await new CertificateStore(folder, clockAt(370)).material(NAMES)
    const moved = await new CertificateStore(folder, clockAt(370)).material([...NAMES, '10.1.1.1'])
    expect(new Set([before.cert, renewed.cert, moved.cert]).size).toBe(3)
    expect([renewed.ca, moved.ca]).toEqual([before.ca, before.ca])
  })

  it('makes anew what is damaged', async () => {
    writeFileSync(join(folder, 'certificates', 'leaf.crt'), 'nonsense')
    const { cert } = await new CertificateStore(folder, clockAt(0)).material(NAMES)
    expect(readFileSync(join(folder, 'certificates', 'leaf.crt'), 'utf8')).toContain(cert.slice(0, 100))
  })

  it('names localhost, the host name and the local addresses', () => {
    expect(leafNames(['till.example'])).toEqual(
      expect.arrayContaining(['localhost', hostname().toLowerCase(), '127.0.0.1', '::1', 'till.example']),
    )
  })
})

const fetchText = (url: string, ca: string) =>
  new Promise<string>((resolve, reject) => {
    get(url, { ca }, (response) => {
      response.setEncoding('utf8').on('data', resolve)
    }).on('error', reject)
  })

describe('listening', () => {
  it.each(['127.0.0.1', '0.0.0.0'])('on %s gives a secure address that is really reachable', async (host) => {
    const tls = await new CertificateStore(undefined, clockAt(0)).material(leafNames())
    const listening = await listen(
      (_request, response) => response.end('here'),
      { host, httpPort: 0, httpsPort: 0, hosts: ['no-such-name.invalid'] },
      tls,
    )
    try {
      const secure = await listening.addresses.secure()
      expect(secure).toMatch(/^https:\/\/[\d.]+:\d+\/api$/)
      expect(await fetchText(secure, tls.ca as string)).toBe('here')
      const local = listening.addresses.local()
      if (host === '127.0.0.1') expect(local).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api$/)
      expect(await (await fetch(local)).text()).toBe('here')
    } finally {
      await listening.close(100)
    }
  })

  it('says which port is in use', async () => {
    const tls = await new CertificateStore(undefined, clockAt(0)).material(['localhost'])
    const rules = { host: '127.0.0.1', httpPort: 0, httpsPort: 0, hosts: [] }
    const first = await listen(() => undefined, rules, tls)
    const port = Number(new URL(first.httpsUrl).port)
    await expect(listen(() => undefined, { ...rules, httpsPort: port }, tls)).rejects.toThrow(
      `Port ${port} on 127.0.0.1 cannot be opened: it is in use by another program.`,
    )
    await first.close(100)
  })
})
