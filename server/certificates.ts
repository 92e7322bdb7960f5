/**
 * The certificate of the HTTPS port (decisions 4). Unless one is configured, a private CA in the data folder signs a
 * leaf for localhost, the host name and the local addresses; users trust the CA manually. The leaf is renewed when it
 * is about to expire or the names change. The CA may sign only for this machine and for addresses of private networks,
 * so that a stolen key cannot impersonate other hosts. A new CA replaces it if it does not permit a new name.
 */
import { createPrivateKey, type webcrypto, X509Certificate } from 'node:crypto'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { HAND_WRITTEN_MAX_BYTES, readForeignFile } from '../drivers/host/foreign-file.ts'
import { machineAddresses } from '../drivers/host/server-access.ts'
import type { Clock } from '../drivers/model/clock.ts'
import { isAddress, isNameConstrained, NAME_CONSTRAINTS, nameConstraints, permitsName } from './name-constraints.ts'
import { CERTIFICATES, makePrivateFolder, writePrivateFile } from './private-files.ts'
import { installReflection } from './reflect-metadata.ts'

interface Pem {
  readonly cert: string
  readonly key: string
}

export interface TlsMaterial extends Pem {
  /** The CA that clients must trust. Absent if a certificate is configured. */
  readonly ca?: string
  /** Reason why a new CA has replaced one that users may have trusted. */
  readonly replaced?: string
}

const DAY_MS = 24 * 60 * 60 * 1000
/** Validity of the CA. Users who still need the service after two years must trust the next CA. */
const CA_DAYS = 730
/** Validity of the leaf, below the maximum that browsers accept from a manually trusted CA. */
const LEAF_DAYS = 397
/** A certificate is renewed if it remains valid for fewer days than these. No leaf outlives its CA. */
const RENEW_BEFORE_DAYS = 30
/** Certificates are valid from one day ago, because the clocks of tills are inexact. */
const BACKDATE_DAYS = 1
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const

export function leafNames(configured: readonly string[] = []): readonly string[] {
  // Link-local addresses change with the cable, and users do not type them.
  const addresses = machineAddresses().filter((address) => !address.startsWith('fe80:'))
  return [...new Set(['localhost', hostname().toLowerCase(), '127.0.0.1', '::1', ...configured, ...addresses])]
}

/** Stores the CA and the leaf in `folder`; without a folder, in memory. */
export class CertificateStore {
  readonly #folder: string | undefined
  readonly #clock: Clock
  readonly #memory = new Map<string, Pem>()

  constructor(folder: string | undefined, clock: Clock) {
    this.#folder = folder === undefined ? undefined : join(folder, CERTIFICATES)
    this.#clock = clock
  }

  get caPath(): string | undefined {
    return this.#folder && join(this.#folder, 'ca.crt')
  }

  /**
   * Returns the certificate of the HTTPS port. Creates it if it is missing, about to expire, or not valid for `names`.
   */
  async material(names: readonly string[]): Promise<TlsMaterial> {
    let ca = this.#read('ca')
    const wrong = ca && this.#whyNotAuthority(ca.cert, names)
    if (!ca || wrong !== undefined) {
      ca = await this.#makeAuthority(names)
      this.#write('ca', ca)
    }
    let leaf = this.#read('leaf')
    if (!leaf || !this.#isGoodLeaf(leaf.cert, ca.cert, names)) {
      leaf = await this.#makeLeaf(ca, names)
      this.#write('leaf', leaf)
    }
    return { cert: leaf.cert + ca.cert, key: leaf.key, ca: ca.cert, ...(wrong !== undefined && { replaced: wrong }) }
  }

  #whyNotAuthority(cert: string, names: readonly string[]): string | undefined {
    if (!isConstrained(new X509Certificate(cert))) return 'the old one could sign for every host; trust it nowhere'
    if (!this.#outlives(cert, RENEW_BEFORE_DAYS)) return 'the old one is near its end'
    return permitsName(new X509Certificate(cert).raw, names)
      ? undefined
      : 'this machine has a name that it does not permit'
  }

  #outlives(cert: string, days: number): boolean {
    return new X509Certificate(cert).validToDate.getTime() - this.#clock.wallTime() > days * DAY_MS
  }

  #isGoodLeaf(cert: string, ca: string, names: readonly string[]): boolean {
    const leaf = new X509Certificate(cert)
    const covers = (name: string) =>
      (isAddress(name) ? leaf.checkIP(name) : leaf.checkHost(name, { subject: 'never' })) !== undefined
    return (
      this.#outlives(cert, RENEW_BEFORE_DAYS) && leaf.verify(new X509Certificate(ca).publicKey) && names.every(covers)
    )
  }

  #read(name: 'ca' | 'leaf'): Pem | undefined {
    if (this.#folder === undefined) return this.#memory.get(name)
    try {
      const pem = {
        cert: pemText(join(this.#folder, `${name}.crt`)),
        key: pemText(join(this.#folder, `${name}.key`)),
      }
      return new X509Certificate(pem.cert).checkPrivateKey(createPrivateKey(pem.key)) ? pem : undefined
    } catch {
      // The files are missing or damaged, so certificate and key are created again.
      return undefined
    }
  }

  #write(name: 'ca' | 'leaf', { cert, key }: Pem): void {
    if (this.#folder === undefined) {
      this.#memory.set(name, { cert, key })
      return
    }
    makePrivateFolder(this.#folder)
    writePrivateFile(join(this.#folder, `${name}.key`), key)
    writePrivateFile(join(this.#folder, `${name}.crt`), cert)
  }

  async #makeAuthority(names: readonly string[]): Promise<Pem> {
    const x509 = await tools()
    const keys = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
    const certificate = await x509.X509CertificateGenerator.createSelfSigned({
      name: `CN=fiscal-rig local CA (${hostname()})`,
      keys,
      signingAlgorithm: ALGORITHM,
      ...this.#validity(CA_DAYS),
      extensions: [
        new x509.BasicConstraintsExtension(true, 0, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
        new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
        new x509.Extension(NAME_CONSTRAINTS, true, nameConstraints(names)),
        await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      ],
    })
    return { cert: `${certificate.toString('pem')}\n`, key: await privatePem(keys.privateKey) }
  }

  async #makeLeaf(ca: Pem, names: readonly string[]): Promise<Pem> {
    const x509 = await tools()
    const issuer = new x509.X509Certificate(ca.cert)
    const signingKey = await importKey(ca.key)
    const keys = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
    const certificate = await x509.X509CertificateGenerator.create({
      subject: `CN=${hostname()}`,
      issuer: issuer.subject,
      publicKey: keys.publicKey,
      signingKey,
      signingAlgorithm: ALGORITHM,
      ...this.#validity(LEAF_DAYS, issuer.notAfter),
      extensions: [
        new x509.BasicConstraintsExtension(false, undefined, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
        new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
        new x509.SubjectAlternativeNameExtension(
          names.map((value) => ({ type: isAddress(value) ? ('ip' as const) : ('dns' as const), value })),
        ),
        await x509.AuthorityKeyIdentifierExtension.create(await issuer.publicKey.export()),
        await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      ],
    })
    return { cert: `${certificate.toString('pem')}\n`, key: await privatePem(keys.privateKey) }
  }

  #validity(days: number, latest?: Date): { notBefore: Date; notAfter: Date } {
    const now = this.#clock.wallTime()
    const end = now + (days - BACKDATE_DAYS) * DAY_MS
    return {
      notBefore: new Date(now - BACKDATE_DAYS * DAY_MS),
      notAfter: new Date(Math.min(end, latest?.getTime() ?? end)),
    }
  }
}

const pemText = (path: string): string => readForeignFile(path, { maxBytes: HAND_WRITTEN_MAX_BYTES })

/** Reads a configured certificate. Throws if the key does not belong to it. */
export function readPair(certificatePath: string, keyPath: string): TlsMaterial {
  const cert = pemText(certificatePath)
  const key = pemText(keyPath)
  if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))) {
    throw new Error(`${keyPath} is not the key of ${certificatePath}`)
  }
  return { cert, key }
}

/**
 * Returns whether the CA may sign only for servers and certain hosts. CAs of earlier versions could sign for any host.
 */
export const isConstrained = (authority: X509Certificate): boolean =>
  isNameConstrained(authority.raw) && authority.keyUsage?.join() === SERVER_AUTH

const SERVER_AUTH = '1.3.6.1.5.5.7.3.1'

/** Loads the certificate library, which is needed only to create a certificate. */
async function tools(): Promise<typeof import('@peculiar/x509')> {
  installReflection()
  const x509 = await import('@peculiar/x509')
  x509.cryptoProvider.set(crypto)
  return x509
}

async function privatePem(key: webcrypto.CryptoKey): Promise<string> {
  const { PemConverter } = await tools()
  return `${PemConverter.encode(await crypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY')}\n`
}

const importKey = (pem: string): Promise<webcrypto.CryptoKey> =>
  crypto.subtle.importKey(
    'pkcs8',
    createPrivateKey(pem).export({ type: 'pkcs8', format: 'der' }),
    { name: ALGORITHM.name, namedCurve: ALGORITHM.namedCurve },
    false,
    ['sign'],
  )
