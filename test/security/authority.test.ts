/**
 * An attacker has the stolen key of the CA. The tests show for which names a client that trusts the CA accepts a forged
 * certificate.
 */
import { type webcrypto, X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, createServer } from 'node:tls'
import type * as X509 from '@peculiar/x509'
import { beforeAll, describe, expect, it } from 'vitest'
import { SimulatedClock } from '../../drivers/model/clock.ts'
import { CertificateStore } from '../../server/certificates.ts'
import { installReflection } from '../../server/reflect-metadata.ts'

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
const NAMES = ['localhost', 'till.example', '127.0.0.1', '::1', '192.168.7.9', '203.0.113.9']

let x509: typeof X509
let ca: string
let stolen: webcrypto.CryptoKey
beforeAll(async () => {
  installReflection()
  x509 = await import('@peculiar/x509')
  const folder = mkdtempSync(join(tmpdir(), 'fiscal-rig-authority-'))
  ca = (await new CertificateStore(folder, new SimulatedClock(Date.now())).material(NAMES)).ca as string
  const der = x509.PemConverter.decodeFirst(readFileSync(join(folder, 'certificates', 'ca.key'), 'utf8'))
  stolen = await crypto.subtle.importKey('pkcs8', der, ALGORITHM, false, ['sign'])
  rmSync(folder, { recursive: true })
})

async function forged(name: string, more: readonly X509.Extension[] = []): Promise<{ cert: string; key: string }> {
  const keys = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
  const type = /^[\d.]+$|:/.test(name) ? ('ip' as const) : ('dns' as const)
  const leaf = await x509.X509CertificateGenerator.create({
    subject: 'CN=forged',
    issuer: new x509.X509Certificate(ca).subject,
    publicKey: keys.publicKey,
    signingKey: stolen,
    signingAlgorithm: ALGORITHM,
    notBefore: new Date(Date.now() - 60_000),
    notAfter: new Date(Date.now() + 60_000_000),
    extensions: [new x509.SubjectAlternativeNameExtension([{ type, value: name }]), ...more],
  })
  const key = x509.PemConverter.encode(await crypto.subtle.exportKey('pkcs8', keys.privateKey), 'PRIVATE KEY')
  return { cert: leaf.toString('pem'), key }
}

/** Resolves to `accepted` if a client that trusts the CA accepts the certificate, otherwise to its error. */
async function judged(name: string, pair: { cert: string; key: string }): Promise<string> {
  const server = createServer(pair, (socket) => socket.end())
  server.on('tlsClientError', () => undefined)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  try {
    return await new Promise((done) => {
      const isAddress = /^[\d.]+$|:/.test(name)
      const socket = connect({ port, host: '127.0.0.1', ca, ...(isAddress ? {} : { servername: name }) })
      socket.once('secureConnect', () => done('accepted'))
      socket.once('error', (error) => done(error.message))
      socket.once('close', () => socket.destroy())
    })
  } finally {
    server.close()
  }
}

describe('a certificate that was signed with the stolen key of the CA', () => {
  it.each(['localhost', 'till.example', '127.0.0.1'])('is valid for this machine: %s', async (name) => {
    expect(await judged(name, await forged(name))).toBe('accepted')
  })

  it.each(['bank.example', 'example', 'till.example.evil.example', 'xlocalhost', 'evil-till.example', '*.example'])(
    'is valid for no other host: %s',
    async (name) => {
      expect(await judged(name.replace('*', 'a'), await forged(name))).toBe('permitted subtree violation')
    },
  )

  it.each(['203.0.113.10', '8.8.8.8', '172.32.0.1', '11.0.0.1', '2001:db8::1', 'fe00::1'])(
    'is valid for no other address: %s',
    async (address) => {
      expect(await judged(address, await forged(address))).toBe('permitted subtree violation')
    },
  )

  it('cannot issue further certificates, and is valid for servers only', async () => {
    const authority = new X509Certificate(ca)
    expect(authority.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1'])
    const parsed = new x509.X509Certificate(ca)
    expect(parsed.getExtension('2.5.29.30')?.critical).toBe(true)
    expect(parsed.getExtension(x509.BasicConstraintsExtension)).toMatchObject({
      ca: true,
      pathLength: 0,
      critical: true,
    })
    const days = (authority.validToDate.getTime() - authority.validFromDate.getTime()) / 86_400_000
    expect(days).toBeLessThanOrEqual(731)
  })
})
