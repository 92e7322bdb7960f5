/** A temporary copy of another commit of this repository, with the packages and built pages that it needs. */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, renameSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { EXIT_ENVIRONMENT, EXIT_USAGE, Exit } from '../../bin/exit.ts'

const root = join(import.meta.dirname, '..', '..')
const execute = promisify(execFile)

export interface Side {
  readonly name: string
  readonly root: string
}

const git = async (...args: readonly string[]): Promise<string> =>
  (await execute('git', [...args], { cwd: root })).stdout.trim()

export async function commitNamed(name: string): Promise<string> {
  try {
    const hash = await git('rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`)
    return await git('rev-parse', '--short', hash)
  } catch {
    throw new Exit(EXIT_USAGE, `--against: this repository has no commit "${name}": use a hash, a tag or a branch.`)
  }
}

export async function thisCheckout(): Promise<Side> {
  const isChanged = (await git('status', '--porcelain', '--untracked-files=no')) !== ''
  return { name: `${await git('rev-parse', '--short', 'HEAD')}${isChanged ? ' with changes' : ''}`, root }
}

/**
 * Copies a commit to the empty folder `folder`. `git archive` leaves no trace in the repository, whereas `git worktree`
 * would after a kill. The copy uses the packages of the checkout, except those that it needs in another version.
 */
export async function copyCommit(commit: string, folder: string, signal: AbortSignal): Promise<Side> {
  const tree = join(folder, 'tree')
  const archive = join(folder, 'tree.tar')
  const run = (program: string, args: readonly string[], cwd: string) => execute(program, [...args], { cwd, signal })
  mkdirSync(tree)
  await run('git', ['archive', '--format=tar', `--output=${archive}`, commit], root)
  await run('tar', ['-xf', archive, '-C', tree], folder)
  const packages = differingPackages(tree)
  if (packages.length > 0) await install(packages, folder, run)
  linkPackages(realpathSync(join(root, 'node_modules')), join(tree, 'node_modules'))
  // A service without its built page would build the page in its own process. `npm start` of that commit also builds
  // the page first.
  for (const script of ['page', 'build-panel-page', 'site'].map((name) => `bin/commands/${name}.ts`))
    if (existsSync(join(tree, script))) await run(process.execPath, [script], tree)
  return { name: commit, root: tree }
}

/** Returns the packages that the checkout lacks or has in another version, as `name@version`. */
function differingPackages(tree: string): string[] {
  const { dependencies = {} }: { dependencies?: Record<string, string> } = readJson(join(tree, 'package.json'))
  return Object.entries(dependencies)
    .filter(([name, version]) => {
      const manifest = join(root, 'node_modules', name, 'package.json')
      return !existsSync(manifest) || readJson<{ version: string }>(manifest).version !== version
    })
    .map(([name, version]) => `${name}@${version}`)
}

async function install(
  packages: readonly string[],
  folder: string,
  run: (program: string, args: readonly string[], cwd: string) => Promise<unknown>,
): Promise<void> {
  const place = join(folder, 'packages')
  mkdirSync(place)
  const quiet = ['--no-save', '--no-package-lock', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error']
  try {
    await run('npm', ['install', '--prefix', place, ...quiet, ...packages], place)
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') throw error
    throw new Exit(EXIT_ENVIRONMENT, `Packages of the other commit could not be installed: ${packages.join(', ')}.`)
  }
  renameSync(join(place, 'node_modules'), join(folder, 'tree', 'node_modules'))
}

function linkPackages(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  for (const name of readdirSync(from)) {
    const place = join(to, name)
    if (name.startsWith('@')) linkPackages(join(from, name), place)
    else if (!name.startsWith('.') && !existsSync(place)) symlinkSync(join(from, name), place)
  }
}

const readJson = <T>(path: string): T => JSON.parse(readFileSync(path, 'utf8')) as T
