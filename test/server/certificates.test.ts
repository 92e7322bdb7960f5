import { execFileSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
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

describe('the store of certificates', () => {
  it('creates a CA and a certificate for all names, with keys that only the owner may read', async () => {
    const { cert, ca } = await new CertificateStore(folder, clockAt(0)).material(NAMES)
    const leaf = new X509Certificate(cert)
    const authority = new X509Certificate(ca as string)
    expect([authority.ca, leaf.ca, leaf.verify(authority.publicKey)]).toEqual([true, false, true])
    expect(leaf.subjectAltName).toBe(
      'DNS:localhost, DNS:till.example, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1, IP Address:192.168.7.9',
    )
    expect(statSync(join(folder, 'certificates', 'ca.key')).mode & 0o777).toBe(0o600)
  })

  it('keeps its certificates across a restart', async () => {
    const first = await new CertificateStore(folder, clockAt(1)).material(NAMES)
    const second = await new CertificateStore(folder, clockAt(300)).material(NAMES.slice(1))
    expect(second.cert).toBe(first.cert)
  })

  it('renews the certificate before it expires or when a name is new, under the same CA', async () => {
    const before = await new CertificateStore(folder, clockAt(1)).material(NAMES)
    const renewed = await new CertificateStore(folder, clockAt(370)).material(NAMES)
    const moved = await new CertificateStore(folder, clockAt(370)).material([...NAMES, '10.1.1.1'])
    expect(new Set([before.cert, renewed.cert, moved.cert]).size).toBe(3)
    expect([renewed.ca, moved.ca]).toEqual([before.ca, before.ca])
  })

  it('creates no certificate that is valid longer than its CA, and makes a new CA before the CA expires', async () => {
    const own = mkdtempSync(join(folder, 'ends-'))
    const first = await new CertificateStore(own, clockAt(0)).material(NAMES)
    const authority = new X509Certificate(first.ca as string)
    const days = (authority.validToDate.getTime() - authority.validFromDate.getTime()) / DAY_MS
    expect(days).toBeLessThanOrEqual(731)
    const late = await new CertificateStore(own, clockAt(690)).material(NAMES)
    expect([late.ca, late.replaced]).toEqual([first.ca, undefined])
    expect(new X509Certificate(late.cert).validToDate).toEqual(authority.validToDate)
    const last = await new CertificateStore(own, clockAt(705)).material(NAMES)
    expect(last.ca).not.toBe(first.ca)
    expect(last.replaced).toBe('the old one is near its end')
    expect(new X509Certificate(last.cert).verify(new X509Certificate(last.ca as string).publicKey)).toBe(true)
  })

  it('replaces a CA that could sign for every host, and a CA that does not permit a new name', async () => {
    const own = mkdtempSync(join(folder, 'wide-'))
    const path = (name: string) => join(own, 'certificates', name)
    mkdirSync(join(own, 'certificates'))
    // Version 0.1 created the key so that every user could read it.
    execFileSync(
      'openssl',
      [
        ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '3650'],
        ...['-subj', '/CN=wide', '-keyout', path('ca.key'), '-out', path('ca.crt')],
      ],
      { stdio: 'ignore' },
    )
    for (const name of ['ca.key', 'ca.crt', '']) chmodSync(path(name), name === '' ? 0o755 : 0o644)
    const wide = readFileSync(path('ca.key'), 'utf8')
    const store = new CertificateStore(own, clockAt(0))
    const first = await store.material(NAMES)
    expect(first.replaced).toContain('every host')
    expect(readFileSync(path('ca.key'), 'utf8')).not.toBe(wide)
    expect(statSync(join(own, 'certificates', 'ca.key')).mode & 0o777).toBe(0o600)
    expect(statSync(join(own, 'certificates')).mode & 0o777).toBe(0o700)
    expect((await store.material([...NAMES, '10.1.1.1'])).ca).toBe(first.ca)
    const named = await store.material([...NAMES, 'other.example'])
    expect([named.ca === first.ca, named.replaced]).toEqual([false, expect.stringContaining('does not permit')])
    const outside = await store.material([...NAMES, 'other.example', '203.0.113.9', '2001:db8::9'])
    expect(outside.ca).not.toBe(named.ca)
    expect((await store.material(['localhost', '203.0.113.9'])).ca).toBe(outside.ca)
  })

  it('recreates damaged files', async () => {
    writeFileSync(join(folder, 'certificates', 'leaf.crt'), 'nonsense')
    const { cert } = await new CertificateStore(folder, clockAt(0)).material(NAMES)
    expect(readFileSync(join(folder, 'certificates', 'leaf.crt'), 'utf8')).toContain(cert.slice(0, 100))
  })

  it('contains localhost, the host name and the local addresses', () => {
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

describe('the HTTPS server', () => {
  it.each(['127.0.0.1', '0.0.0.0'])('is reachable under a secure address if it listens on %s', async (host) => {
    const tls = await new CertificateStore(undefined, clockAt(0)).material(leafNames())
    const listening = await listen(
      (_request, response) => response.end('here'),
      { host, httpPort: 0, httpsPort: 0, hosts: ['no-such-name.invalid'] },
      tls,
    )
    try {
      const secure = await listening.addresses.secure()
      expect(secure).toMatch(/^https:\/\/[\d.]+:\d+\/api$/)
      expect(await fetchText(secure ?? '', tls.ca as string)).toBe('here')
      const local = listening.addresses.local()
      if (host === '127.0.0.1') expect(local).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api$/)
      expect(await (await fetch(local)).text()).toBe('here')
    } finally {
      await listening.close(100)
    }
  })

  it('reports which port is in use', async () => {
    const tls = await new CertificateStore(undefined, clockAt(0)).material(['localhost'])
    const rules = { host: '127.0.0.1', httpPort: 0, httpsPort: 0, hosts: [] }
    const first = await listen(() => undefined, rules, tls)
    const port = Number(new URL(first.httpsUrl ?? '').port)
    await expect(listen(() => undefined, { ...rules, httpsPort: port }, tls)).rejects.toThrow(
      `Port ${port} on 127.0.0.1 cannot be opened: it is already in use. Choose another with --https-port (0: any free one).`,
    )
    await first.close(100)
  })
})
