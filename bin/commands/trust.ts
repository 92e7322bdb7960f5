/** `fiscal-rig trust`: prints how to trust the CA that signs this machine's HTTPS certificate. */
import { X509Certificate } from 'node:crypto'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { ForeignFileError, HAND_WRITTEN_MAX_BYTES, readForeignBytes } from '../../drivers/host/foreign-file.ts'
import { formatOptions, rigCommand, shellWord } from '../../drivers/host/shell-command.ts'
import { systemClock } from '../../drivers/model/clock.ts'
import { CertificateStore } from '../../server/certificates.ts'
import { DataFolderError, defaultDataFolder, expectOwnFolder, MEMORY } from '../../server/data-folder.ts'
import { EXIT_ENVIRONMENT, Exit } from '../exit.ts'
import { settingsFrom } from '../options.ts'
import { say } from '../terminal-output.ts'

export async function trust({ data, config }: { data?: string; config?: string }): Promise<void> {
  const settings = await settingsFrom(config, { data })
  if (settings.tls) {
    say(`A certificate is configured (${settings.tls.certificate}): trust the CA that issued it.\n`)
    return
  }
  const folder = settings.data ?? defaultDataFolder()
  if (folder === MEMORY)
    throw new Exit(
      EXIT_ENVIRONMENT,
      'There is no stored CA to trust: without a data folder (--data memory, or data in the configuration), the CA exists only while the service runs. Choose a folder with --data.',
    )
  assertOwnFolder(resolve(folder))
  const path = new CertificateStore(resolve(folder), systemClock).caPath as string
  say(instructions(path, readAuthority(path, rigCommand(['serve', ...formatOptions({ config, data })]))))
}

/** Throws Exit if the folder belongs to another user, who would then have the key of the CA. */
function assertOwnFolder(folder: string): void {
  try {
    expectOwnFolder(folder)
  } catch (error) {
    if (error instanceof DataFolderError) throw new Exit(EXIT_ENVIRONMENT, error.message)
    throw error
  }
}

function readAuthority(path: string, serve: string): X509Certificate {
  if (!existsSync(path))
    throw new Exit(EXIT_ENVIRONMENT, `There is no CA yet at ${path}. Start the service once to create it: ${serve}`)
  try {
    return new X509Certificate(readForeignBytes(path, { maxBytes: HAND_WRITTEN_MAX_BYTES }))
  } catch (error) {
    const why = error instanceof ForeignFileError ? `cannot be read: ${error.why}` : 'is not a certificate'
    throw new Exit(EXIT_ENVIRONMENT, `${path} ${why}. Delete it, and start the service to create a new CA: ${serve}`)
  }
}

function instructions(path: string, authority: X509Certificate): string {
  const word = shellWord(path)
  return `The CA of this machine's fiscal-rig:
  file         ${path}
  valid until  ${authority.validToDate.toISOString().slice(0, 10)}
  SHA-256      ${authority.fingerprint256}

What trusting it means: anyone who has its key (ca.key next to the file) can pretend to be this machine, or any address
of loopback and private networks, to programs that trust it, until that date. It is valid for servers only, and for no
other host name. Programs that do not support name constraints ignore this limit. Therefore trust it only in the program
that calls the service:

curl             curl --cacert ${word} ...
Node             NODE_EXTRA_CA_CERTS=${word}
Python requests  REQUESTS_CA_BUNDLE=${word}
Firefox          Settings, Certificates, Authorities, Import (this profile only)

For all programs of this user or machine, only where that is not enough:

Debian, Ubuntu   sudo cp ${word} /usr/local/share/ca-certificates/fiscal-rig.crt && sudo update-ca-certificates
Fedora           sudo trust anchor ${word}
macOS            security add-trusted-cert -r trustRoot -k ~/Library/Keychains/login.keychain-db ${word}
Windows          certutil -addstore -user Root "${path}"
Android, iOS     copy the file to the device and install it as a CA certificate

Without HTTPS: "fiscal-rig serve --no-https". Take an older CA of fiscal-rig out of the trust stores: it could sign for
every host.
`
}
