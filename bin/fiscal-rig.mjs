#!/usr/bin/env node
// The program `fiscal-rig`. The published package runs compiled JavaScript on any Node that package.json allows. A
// checkout runs the TypeScript sources, which need Node 24; an older Node starts the Node of the npm package `node`.
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))
const source = join(here, 'fiscal-rig.ts')
const isCheckout = existsSync(source)
const program = isCheckout ? source : join(here, '..', 'dist', 'bin', 'fiscal-rig.js')
const [major, minor] = process.versions.node.split('.').map(Number)
const isAllowed = isCheckout ? major >= 24 : major > 22 || (major === 22 && minor >= 13)

// npx starts this program in a shell that passes on no signals. The program therefore ends when that shell has ended.
if (process.env.npm_command === 'exec') {
  const parent = process.ppid
  setInterval(() => process.ppid === parent || process.kill(process.pid, 'SIGTERM'), 250).unref()
}

if (isAllowed) {
  const { main } = await import(pathToFileURL(program).href)
  await main(process.argv)
} else if (!isCheckout) {
  process.stderr.write(`fiscal-rig needs Node 22.13 or later; this is ${process.version}. Install a later Node.\n`)
  process.exit(3)
} else {
  const { spawn } = await import('node:child_process')
  const { nodeProgram } = await import('./node-program.mjs')
  const { path: node, wrong } = nodeProgram(join(here, '..'))
  if (node === undefined) {
    process.stderr.write(
      `${wrong ?? `fiscal-rig needs Node 24 or later; this is ${process.version}. Run "npm ci" first: it installs Node 24 in this folder.`}\n`,
    )
    process.exit(3)
  }
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code) => process.exit(code ?? 1))
}
