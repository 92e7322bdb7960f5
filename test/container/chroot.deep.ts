/**
 * The build steps of the image without a container engine: a Debian made by mmdebstrap, the package installed as the
 * Dockerfile does, the same script in a chroot, and the programs under the image's user. The tests require root,
 * mmdebstrap and Debian's archive. Otherwise they fail and name what is missing.
 */
import { once } from 'node:events'
import { chmodSync, copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { npm, pack } from '../package/packed.ts'
import { X_REPORTS } from '../security/x-report-frames.ts'
import { type Running, startProgram } from '../support/command.ts'

const root = join(import.meta.dirname, '..', '..')
const container = join(root, 'bin', 'container')
let folder: string
let image: string
const running: Running[] = []

async function done(program: string, ...args: string[]): Promise<string> {
  const { status, out, err } = await startProgram(program, args).ended.catch((error: Error) => {
    throw new Error(`not run: ${program}: ${error.message}`)
  })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${out}${err}`)
  return out
}

const PATH = '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin'
const inside = (args: readonly string[], user = '10001:10001') =>
  startProgram('chroot', [`--userspec=${user}`, image, 'env', '-i', `PATH=${PATH}`, 'HOME=/data', ...args])

beforeAll(async () => {
  if (process.getuid?.() !== 0) throw new Error('not run: a chroot needs root')
  folder = mkdtempSync(join(tmpdir(), 'container-'))
  chmodSync(folder, 0o755)
  image = join(folder, 'image')
  await done('mmdebstrap', '--variant=minbase', '--mode=root', 'bookworm', image)
  const { tarball } = await pack(folder)
  const prefix = join(image, 'opt', 'fiscal-rig')
  await npm(['install', '--global', '--prefix', prefix, '--no-audit', '--no-fund', tarball], folder)
  copyFileSync(process.execPath, join(image, 'usr', 'local', 'bin', 'node'))
  copyFileSync(join(container, 'health.mjs'), join(prefix, 'health.mjs'))
  copyFileSync(join(container, 'setup.sh'), join(image, 'tmp', 'setup.sh'))
  copyFileSync('/etc/resolv.conf', join(image, 'etc', 'resolv.conf'))
  const { status, out, err } = await inside(['sh', '/tmp/setup.sh'], '0:0').ended
  if (status !== 0) throw new Error(`setup.sh: ${out}${err}`)
  expect(out).toMatch(/^\d+\.\d+\.\d+$/m)
}, 900_000)
afterAll(async () => {
  for (const { child, ended } of running) {
    child.kill('SIGKILL')
    await ended
  }
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
})

describe('the container image', () => {
  it('has socat, and a user without rights who owns only the data folder', async () => {
    expect(readFileSync(join(image, 'etc', 'passwd'), 'utf8')).toMatch(
      /^fiscal:x:10001:10001:.*:\/data:\/usr\/sbin\/nologin$/m,
    )
    expect(readFileSync(join(image, 'etc', 'group'), 'utf8')).toMatch(/^dialout:x:20:fiscal$/m)
    expect(existsSync(join(image, 'usr', 'bin', 'socat'))).toBe(true)
    expect(statSync(join(image, 'data'))).toMatchObject({ uid: 10_001, gid: 10_001, mode: 0o40700 })
    expect((await done('find', image, '-xdev', '-uid', '10001')).trim()).toBe(join(image, 'data'))
    const writable = await inside(['find', '/opt', '/usr/local', '-writable', '-not', '-type', 'l']).ended
    expect(writable.out).toBe('')
  })

  it('has the compiled package, and neither sources, tests nor build tools', async () => {
    const own = join(image, 'opt', 'fiscal-rig', 'lib', 'node_modules', 'fiscal-rig')
    const files = (await done('find', own, '-type', 'f', '-not', '-path', join(own, 'node_modules', '*')))
      .trim()
      .split('\n')
    expect(files).toContain(join(own, 'dist', 'bin', 'fiscal-rig.js'))
    expect(files.filter((file) => /(?<!\.d)\.ts$|\/test\/|\.test\./.test(file) && !/\/fixtures\//.test(file))).toEqual(
      [],
    )
    for (const gone of ['var/lib/apt/lists/lock', 'root/.npm']) expect(existsSync(join(image, gone))).toBe(false)
  })

  it('serves as its user, is reported as healthy, and ends by SIGTERM', async () => {
    const ports = ['--http-port', '0', '--no-https', '--panel-port', '0']
    const service = inside(['fiscal-rig', 'serve', '--data', '/data', ...ports, '--json'])
    running.push(service)
    const { http, panel } = await service.ready()
    const printed = await fetch(`${http}/print-fiscal-receipt`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ ReceiptItems: [{ Type: 1, PluSale: { PluNumber: 1 } }] }),
    })
    expect(await printed.json()).toEqual({ StatusCode: 200, Data: '1' })
    const health = (...addresses: string[]) => inside(['node', '/opt/fiscal-rig/health.mjs', ...addresses]).ended
    expect((await health(new URL(String(http)).origin)).status).toBe(0)
    expect((await health(String(panel))).status).toBe(0)
    service.child.kill('SIGTERM')
    expect((await service.ended).status).toBe(0)
    expect((await health(new URL(String(http)).origin, String(panel))).status).toBe(1)
    expect(statSync(join(image, 'data', 'answers.sqlite'))).toMatchObject({ uid: 10_001, mode: 0o100600 })
  })

  it('emulates a device on TCP', async () => {
    const lines = ['--tcp', '0', '--host', '0.0.0.0', '--open', '--panel-port', '0']
    const device = inside(['fiscal-rig', 'emulate', '--family', 'A', '--data', 'memory', ...lines, '--json'])
    running.push(device)
    const { tcp } = await device.ready()
    const till = connect(Number(tcp), '127.0.0.1')
    till.write(X_REPORTS.A)
    await once(till, 'data')
    till.destroy()
  })
})
