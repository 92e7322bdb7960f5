/** The Debian packages that `npm test` requests (bin/npm-tasks.mjs), with an apt that only records the requests. */
import { once } from 'node:events'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { Command } from 'commander'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { declareCommands } from '../../bin/commands/index.ts'
import { OPTIONS_OF_TASKS } from '../../bin/npm-options.mjs'
import { type Ended, startNode } from '../support/command.ts'
import { until } from '../support/wait-until.ts'

const root = join(import.meta.dirname, '..', '..')
const isRoot = process.getuid?.() === 0

let folder: string
let noted: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'npm-tasks-'))
  noted = join(folder, 'noted')
  writeFileSync(noted, '')
  mkdirSync(join(folder, 'bin'))
  symlinkSync('/bin/sh', join(folder, 'bin', 'sh'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function program(name: string, lines = ''): void {
  const file = join(folder, 'bin', name)
  writeFileSync(file, `#!/bin/sh\n${lines}\n`)
  chmodSync(file, 0o755)
}

function apt(known: readonly string[], { hasLists }: { readonly hasLists: boolean }): void {
  const lists = join(folder, 'lists')
  if (hasLists) writeFileSync(lists, '')
  program('apt-get', `echo "$*" >> '${noted}'; test "$1" = update && : > '${lists}'`)
  program('apt-cache', `test -e '${lists}' && case "$2" in ${known.join('|')}) exit 0;; esac; exit 1`)
}

const test = (): Promise<Ended> =>
  startNode([join(root, 'bin', 'npm-tasks.mjs'), 'test'], { env: { PATH: join(folder, 'bin') } }).ended

const requestedPackages = (): string[] =>
  readFileSync(noted, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => /chromium\S*|update/.exec(line)?.[0] ?? line)

describe.runIf(isRoot)('npm test, as root on Debian,', () => {
  it('asks apt for the browser without windows if apt has it', async () => {
    apt(['chromium-headless-shell', 'chromium'], { hasLists: true })
    const { status, err } = await test()
    expect(requestedPackages()).toEqual(['chromium-headless-shell', 'update', 'chromium-headless-shell'])
    expect({ status, err }).toMatchObject({ status: 3, err: expect.stringContaining('Could not install: apt-get') })
  })

  it('updates the package lists of a new machine first, and chooses the browser by them', async () => {
    apt(['chromium-headless-shell', 'chromium'], { hasLists: false })
    await test()
    expect(requestedPackages()).toEqual(['chromium', 'update', 'chromium-headless-shell'])
  })

  it('asks apt for the browser with windows if no browser without windows is available', async () => {
    apt(['chromium'], { hasLists: true })
    const { err } = await test()
    expect(requestedPackages()).toEqual(['chromium', 'update', 'chromium'])
    expect(err).not.toContain('headless')
  })

  it.each(['chromium', 'chromium-headless-shell'])(
    'asks apt for no second browser if %s is present',
    async (browser) => {
      program(browser)
      apt(['chromium-headless-shell', 'chromium'], { hasLists: true })
      await test()
      expect(readFileSync(noted, 'utf8')).toContain('socat')
      expect(readFileSync(noted, 'utf8')).not.toContain('chromium')
    },
  )
})

it('npm test names in one line what to install if it must not or cannot install it', async () => {
  const { status, err } = await test()
  expect(status).toBe(3)
  expect(err.trim().split('\n')).toEqual([
    expect.stringMatching(/^Missing: socat chromium redis-server\. Install with: sudo apt-get install -y /),
  ])
})

describe('an option of fiscal-rig without its two dashes', () => {
  const run = (task: string, env: Record<string, string>) =>
    startNode([join(root, 'bin', 'npm-tasks.mjs'), task], { env: { PATH: join(folder, 'bin'), ...env } }).ended

  it('is reported with the intended command, before anything is installed or started', async () => {
    const { status, err } = await run('start', { npm_config_http_port: 'true', npm_config_family: 'B' })
    expect({ status, err: err.trim() }).toEqual({
      status: 2,
      err: 'npm has consumed --family --http-port as its own options. Write -- before the options: npm start -- --family --http-port ...',
    })
    expect((await run('test:deep', { npm_config_only: 'fault-table' })).err).toContain(
      'npm run test:deep -- --only ...',
    )
  })

  it('is recognized for every option of serve', () => {
    const program = new Command()
    declareCommands(program)
    const serve = program.commands.find((one) => one.name() === 'serve')
    const names = serve?.options.map(({ long = '' }) => long?.replace(/^--/, '')) ?? []
    expect([...OPTIONS_OF_TASKS.start, 'json'].sort()).toEqual([...names].sort())
  })
})

it('a first start that waits for npm says so after 5 s', async () => {
  const checkout = join(folder, 'checkout')
  mkdirSync(join(checkout, 'bin'), { recursive: true })
  for (const name of ['npm-tasks.mjs', 'npm-options.mjs', 'node-program.mjs', 'debian-programs.mjs'])
    copyFileSync(join(root, 'bin', name), join(checkout, 'bin', name))
  writeFileSync(join(checkout, 'package-lock.json'), '{"packages": {}}')
  for (const name of ['sleep']) symlinkSync(`/bin/${name}`, join(folder, 'bin', name))
  program('npm', 'sleep 6; exit 1')
  const { status, err } = await startNode([join(checkout, 'bin', 'npm-tasks.mjs'), 'start'], {
    env: { PATH: join(folder, 'bin') },
  }).ended
  expect(err).toMatch(
    /^Installing npm packages \(once\) \.\.\.\nStill waiting for npm, which loads the packages from its registry/,
  )
  expect(err).toContain('npm packages could not be installed')
  expect(status).toBe(3)
})

describe.runIf(process.platform === 'linux')('an installation that is interrupted', () => {
  function checkout(npm: string): () => ReturnType<typeof startNode> {
    const place = join(folder, 'checkout')
    mkdirSync(join(place, 'bin'), { recursive: true })
    for (const name of ['npm-tasks.mjs', 'npm-options.mjs', 'node-program.mjs', 'debian-programs.mjs'])
      copyFileSync(join(root, 'bin', name), join(place, 'bin', name))
    copyFileSync(join(root, 'package-lock.json'), join(place, 'package-lock.json'))
    program('npm', npm)
    const env = { PATH: `${join(folder, 'bin')}:${process.env['PATH']}` }
    return () => startNode([join(place, 'bin', 'npm-tasks.mjs'), 'start'], { env })
  }
  /** A process that has ended may wait for its parent (state Z). */
  const isRunning = (pid: number): boolean => {
    try {
      return !/\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
    } catch {
      return false
    }
  }
  const pids = () => readFileSync(noted, 'utf8').trim().split('\n').map(Number)

  it('ends with all processes of npm, and is restarted by the next start', async () => {
    // npm waits for an install script of a package, and half of the packages are installed at that time.
    const start = checkout(
      `mkdir -p node_modules/half; sh -c 'trap "" INT; sleep 600' & echo "$$\n$!" >> '${noted}'; echo begun >&2; wait`,
    )
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      writeFileSync(noted, '')
      const first = start()
      while (!first.log().includes('begun')) await once(first.child.stderr as Readable, 'data')
      const started = pids()
      first.child.kill(signal)
      const { status, err } = await first.ended
      expect({ status, err }).toEqual({
        status: 130,
        err: 'Installing npm packages (once) ...\nbegun\nInterrupted: the next start installs the packages again.\n',
      })
      await until(() => expect(started.filter(isRunning)).toEqual([]))
    }
    expect(existsSync(join(folder, 'checkout', 'node_modules', 'half'))).toBe(true)
    program('npm', `echo "$*" > '${noted}'; exit 1`)
    const { status, err } = await start().ended
    expect(readFileSync(noted, 'utf8')).toMatch(/^ci /)
    expect({ status, err }).toEqual({ status: 3, err: expect.stringContaining('could not be installed') })
  })
})
