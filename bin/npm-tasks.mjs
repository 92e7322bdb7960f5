#!/usr/bin/env node
// Runs first in `npm start`, `npm test` and the other scripts, on any Node. Installs what is missing, then continues
// with the project's own Node (24, from node_modules). Plain JavaScript without dependencies, because nothing is
// installed yet when it runs.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CHROMIUM, PROGRAMS_OF_PARTS, REDIS, SOCAT } from './debian-programs.mjs'
import { nodeProgram } from './node-program.mjs'
import { consumedByNpm } from './npm-options.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const [task = '', ...rest] = process.argv.slice(2)

const say = (line) => process.stderr.write(`${line}\n`)
const stop = (line) => {
  say(line)
  process.exit(3)
}
const succeeds = (line) => spawnSync('sh', ['-c', line], { stdio: 'ignore' }).status === 0
const has = (program) => succeeds(`command -v ${program}`)

/** Optional packages may be missing. */
function packagesAreThere() {
  const installed = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(installed)) return false
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
  const present = JSON.parse(readFileSync(installed, 'utf8')).packages
  return Object.entries(wanted).every(
    ([place, { version, optional }]) => place === '' || optional || present[place]?.version === version,
  )
}

/** Time in ms until a hint is written: without a network, npm retries for minutes without any output. */
const WAITING_MS = 5000
const WAITING =
  'Still waiting for npm, which loads the packages from its registry. Check the network; Ctrl+C ends the wait, and "npm config get registry" prints the address.'

const WINDOWS = process.platform === 'win32'
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']
/** Time in ms after which the remaining processes of npm are killed. */
const END_WITHIN_MS = 5000

/**
 * Runs npm in its own process group, so that a signal also ends npm's install scripts. After an interruption `npm ci`
 * starts over, because npm writes its list of packages last.
 */
function runNpm(args) {
  return new Promise((resolve) => {
    const npm = spawn('npm', args, { cwd: root, stdio: ['ignore', 2, 2], shell: WINDOWS, detached: !WINDOWS })
    const signalled = () => {
      const end = (signal) => {
        try {
          process.kill(WINDOWS ? npm.pid : -npm.pid, signal)
        } catch {
          // The process group has ended.
        }
      }
      end('SIGTERM')
      setTimeout(end, END_WITHIN_MS, 'SIGKILL').unref()
      say('Interrupted: the next start installs the packages again.')
      npm.once('close', () => process.exit(130))
    }
    const waiting = setTimeout(() => say(WAITING), WAITING_MS)
    for (const signal of SIGNALS) process.once(signal, signalled)
    npm.once('error', () => {
      clearTimeout(waiting)
      resolve(1)
    })
    npm.once('close', (status) => {
      clearTimeout(waiting)
      for (const signal of SIGNALS) process.off(signal, signalled)
      resolve(status)
    })
  })
}

async function installPackages() {
  const program = nodeProgram(root)
  if (!program.missing && packagesAreThere()) return program
  say('Installing npm packages (once) ...')
  // The project's own Node is a development package. It is needed whatever NODE_ENV says.
  const status = await runNpm(['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'])
  if (status !== 0) stop('npm packages could not be installed: see the lines above, then run the command again.')
  return nodeProgram(root)
}

const isThere = ({ program, file, instead }) =>
  file === undefined ? has(program) || (instead !== undefined && isThere(instead)) : existsSync(file)

/** Returns the package that apt offers. If apt has no lists, that is the last alternative, which every Debian has. */
const packageOf = ({ package: name, instead }) =>
  instead === undefined || succeeds(`apt-cache show ${name}`) ? name : packageOf(instead)

/**
 * Installs missing Debian packages as root; for other users, writes the command. Stops if a needed program is missing.
 */
function installPrograms({ needed = [], welcome = [] }) {
  const missing = [...needed, ...welcome].filter((one) => !isThere(one))
  if (missing.length === 0) return
  const packages = () => [...new Set(missing.map(packageOf))].join(' ')
  const command = () => `apt-get install -y --no-install-recommends ${packages()}`
  const end = needed.every(isThere) ? say : stop
  const canInstall = process.platform === 'linux' && process.getuid?.() === 0 && has('apt-get')
  if (!canInstall) return end(`Missing: ${packages()}. Install with: sudo ${command()}`)
  say(`Installing Debian packages (once): ${packages()} ...`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const run = (line, errors) => spawnSync('sh', ['-c', line], { stdio: ['ignore', 'ignore', errors], env }).status === 0
  // apt's lists may be missing or outdated. The first attempt may therefore fail, and its output is suppressed.
  if (!run(command(), 'ignore') && !(run('apt-get update -qq', 2) && run(command(), 2)))
    end(`Could not install: ${command()}`)
}

/** The build commands do nothing if their output is up to date. */
function buildPages() {
  for (const [command, what] of [
    ['build-panel-page', 'The control panel'],
    ['site', 'The documentation'],
  ]) {
    const built = spawnSync(node, [`bin/commands/${command}.ts`], { cwd: root, stdio: ['ignore', 2, 2] })
    if (built.status !== 0) stop(`${what} could not be built: see the lines above.`)
  }
}

/** Returns the programs of the parts of `npm run test:deep` that will run: all, or those of `--only`. */
function programsOfParts() {
  if (rest.includes('--list')) return []
  const only = rest.filter((_word, index) => rest[index - 1] === '--only')
  const chosen = Object.keys(PROGRAMS_OF_PARTS).filter((part) => only.length === 0 || only.includes(part))
  return chosen.flatMap((part) => PROGRAMS_OF_PARTS[part])
}

const isComparison = rest.some((word) => /^--against(?:=|$)/.test(word))

const tasks = {
  start: { page: true, run: ['bin/fiscal-rig.ts', 'serve'] },
  test: { needed: [SOCAT, CHROMIUM], welcome: [REDIS], page: true, run: ['bin/commands/test-suite.ts'] },
  'test:deep': {
    needed: [SOCAT, CHROMIUM],
    welcome: [REDIS, ...programsOfParts()],
    page: true,
    run: ['bin/commands/test-suite.ts', '--deep'],
  },
  bench: isComparison
    ? { needed: [SOCAT], page: true, run: ['test/bench/compare-commits.ts'] }
    : { needed: [SOCAT, CHROMIUM], page: true, run: ['test/bench/run.ts'] },
  soak: { run: ['bin/fiscal-rig.ts', 'check'] },
  mutants: { run: ['test/mutants/run.ts'] },
  build: { page: true, run: ['bin/commands/build.ts'] },
  rig: { page: true, run: ['bin/fiscal-rig.ts'] },
}

const chosen = tasks[task]
if (!chosen) stop(`npm-tasks.mjs: no task ${task}; there are ${Object.keys(tasks).join(', ')}`)
const consumed = consumedByNpm(task, process.env)
if (consumed !== undefined) {
  say(consumed)
  process.exit(2)
}
const { path: node, missing, wrong } = await installPackages()
if (node === undefined) stop(missing ?? wrong)
installPrograms(chosen)
if (chosen.page) buildPages()

const child = spawn(node, [...chosen.run, ...rest], {
  cwd: root,
  stdio: 'inherit',
  env: {
    ...process.env,
    PATH: `${join(root, 'node_modules', '.bin')}${process.platform === 'win32' ? ';' : ':'}${process.env.PATH}`,
  },
})
for (const signal of SIGNALS) process.on(signal, () => child.kill(signal))
// npm starts this program in a shell that passes on no signals. The child is therefore ended when that shell has ended.
const parent = process.ppid
setInterval(() => process.ppid === parent || child.kill('SIGTERM'), 250).unref()
child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' || signal === 'SIGTERM' ? 0 : 1)))
