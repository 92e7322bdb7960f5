/** Commands that a signal ends leave neither files in the system's temporary folder nor processes. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { start } from '../support/command.ts'

const PATIENCE = { timeout: 120_000, interval: 20 }

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signals-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const found = (): readonly string[] => readdirSync(folder)

describe.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('a command that gets %s', (signal) => {
  it.each([
    ['check with a year', ['check', '--shop-year', '--family', 'A'], 1],
    ['check with several years at once', ['check', '--shop-year', '--family', 'A,B', '--cores', '2'], 2],
    ['check on a pty', ['check', '--target', 'pty', '--family', 'A', '--runs', '1000', '--seed', '1'], 1],
  ])('removes its temporary folders: %s', async (_what, args, folders) => {
    const { child, ended } = start(args, { env: { TMPDIR: folder } })
    await expect.poll(() => found().length, PATIENCE).toBeGreaterThanOrEqual(folders)
    const signalled = new Promise((resolve) => child.once('exit', (code, by) => resolve(code ?? by)))
    child.kill(signal)
    expect([signal, 128 + constants.signals[signal]]).toContain(await signalled)
    // `ended` resolves when the last process that holds the output has ended.
    await ended
    expect(found()).toEqual([])
  })
})
