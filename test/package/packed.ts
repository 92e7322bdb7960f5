/**
 * The published package as users get it: built and packed from this checkout, and installed by npm in an empty folder.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Ended, startProgram } from '../support/command.ts'
import { isDeep } from '../support/slice.ts'

const root = join(import.meta.dirname, '..', '..')
const cache = join(root, 'node_modules', '.cache')
const windows = process.platform === 'win32'

/** Must equal the version in `engines` of package.json. */
export const OLDEST_NODE = '22.13.0'

/** Variables in which npm passes its own command to child processes. The value `undefined` removes them. */
const CLEAN = Object.fromEntries(
  Object.keys(process.env)
    .filter((name) => /^npm_(?:command|lifecycle|package|config_local|config_global|execpath)/.test(name))
    .map((name) => [name, undefined]),
)

export const startClean = (program: string, args: readonly string[], cwd: string, env: Record<string, string> = {}) =>
  startProgram(program, args, { cwd, env: { ...CLEAN, NODE_ENV: undefined, VITEST: undefined, ...env } })

/** Thrown if npm reaches no registry, so that the package cannot be installed. */
export class NoRegistry extends Error {}
const UNREACHABLE = /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENETUNREACH|ETIMEDOUT|ENOTCACHED)\b/

/** Runs npm. Throws NoRegistry, or an Error with npm's output. */
export async function npm(args: readonly string[], cwd: string): Promise<Ended> {
  const ended = await startClean(windows ? 'npm.cmd' : 'npm', args, cwd).ended
  if (ended.status === 0) return ended
  const failure = `npm ${args.join(' ')}: ${ended.err}${ended.out}`
  throw UNREACHABLE.test(failure) ? new NoRegistry(failure) : new Error(failure)
}

/**
 * A single query of npm for a small package is enough to know whether a registry answers. An install would retry each
 * package for minutes.
 */
let reach: Promise<'--prefer-offline' | '--offline'> | undefined
async function howToReach() {
  try {
    await npm(['view', 'commander', 'name', '--fetch-retry-mintimeout=500', '--fetch-retry-maxtimeout=2000'], tmpdir())
    return '--prefer-offline'
  } catch (problem) {
    if (problem instanceof NoRegistry) return '--offline'
    throw problem
  }
}

/** Throws like `npm`. Without a registry, npm's cache of earlier installs may suffice. */
async function install(args: readonly string[], cwd: string): Promise<void> {
  reach ??= howToReach()
  await npm(['install', await reach, '--no-audit', '--no-fund', '--loglevel=error', ...args], cwd)
}

export interface Packed {
  readonly tarball: string
  readonly unpackedSize: number
  readonly files: readonly string[]
}

export async function pack(folder: string): Promise<Packed> {
  const built = await startProgram(process.execPath, ['bin/commands/build.ts', ...(isDeep ? [] : ['--no-check'])], {
    cwd: root,
  }).ended
  if (built.status !== 0) throw new Error(`npm run build: ${built.err}${built.out}`)
  const { out } = await npm(['pack', '--ignore-scripts', '--json', '--pack-destination', folder], root)
  const listing = JSON.parse(out) as PackListing | readonly PackListing[] | Record<string, PackListing>
  const { filename, unpackedSize, files } =
    'filename' in listing ? (listing as PackListing) : (Object.values(listing)[0] as PackListing)
  return { tarball: join(folder, filename), unpackedSize, files: files.map(({ path }) => path) }
}
interface PackListing {
  readonly filename: string
  readonly unpackedSize: number
  readonly files: readonly { readonly path: string }[]
}

/** Resolves to the real path of a folder with only this tarball and its dependencies. */
export async function installed(tarball: string): Promise<string> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'empty-')))
  if (isDeep) await install([tarball], folder)
  else await unpacked(tarball, folder)
  return folder
}

/** Unpacks the tarball with the dependencies of the checkout, ten times faster than an installation by npm. */
async function unpacked(tarball: string, folder: string): Promise<void> {
  const place = join(folder, 'node_modules', 'fiscal-rig')
  mkdirSync(place, { recursive: true })
  const { status, err } = await startProgram('tar', ['-xzf', tarball, '-C', place, '--strip-components=1']).ended
  if (status !== 0) throw new Error(`tar: ${err}`)
  const { dependencies } = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8')) as Manifest
  for (const name of Object.keys(dependencies)) {
    const link = join(folder, 'node_modules', name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(join(root, 'node_modules', name), link)
  }
}
interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>
}

/** Installs packages that tests need and the checkout lacks, once for all runs. Resolves to their `node_modules`. */
export async function installedOnce(name: string, ...packages: string[]): Promise<string> {
  const folder = join(cache, name)
  const isThere = existsSync(join(folder, 'package-lock.json')) && readdirSync(join(folder, 'node_modules')).length > 0
  if (isThere) return join(folder, 'node_modules')
  mkdirSync(folder, { recursive: true })
  await install(['--ignore-scripts', '--prefix', folder, ...packages], folder)
  return join(folder, 'node_modules')
}

/** Returns the path of the oldest supported Node, from the npm package that contains only this program. */
export async function oldestNode(): Promise<string> {
  const name = `node-${windows ? 'win' : process.platform}-${process.arch}`
  const modules = await installedOnce(`node-${OLDEST_NODE}`, `${name}@${OLDEST_NODE}`)
  return join(modules, name, 'bin', windows ? 'node.exe' : 'node')
}
