/** Only one process at a time can lock the data folder. The lock of an ended process is ignored (decisions 7). */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { defaultDataFolder, openDataFolder } from '../../server/data-folder.ts'
import { startNode } from '../support/command.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fiscal-rig-data-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

it.each([
  [{ XDG_DATA_HOME: '/x', HOME: '/home/me' }, 'linux', '/x/fiscal-rig'],
  [{ XDG_DATA_HOME: '', HOME: '/home/me' }, 'linux', '/home/me/.local/share/fiscal-rig'],
  [{ HOME: '/home/me' }, 'linux', '/home/me/.local/share/fiscal-rig'],
  [{ LOCALAPPDATA: '/local', HOME: '/home/me' }, 'win32', '/local/fiscal-rig'],
])('the user’s data folder is, for %o on %s, %s', (environment, platform, path) => {
  expect(defaultDataFolder(environment, platform)).toBe(path)
})

it('a missing data folder is created, and --data memory stores nothing', () => {
  const data = openDataFolder(join(folder, 'a', 'b'), 'serve')
  expect(existsSync(join(folder, 'a', 'b'))).toBe(true)
  expect(data.database('x.sqlite')).toBe(join(folder, 'a', 'b', 'x.sqlite'))
  data.release()
  const memory = openDataFolder('memory', 'serve')
  expect([memory.path, memory.database('x')]).toEqual([undefined, ':memory:'])
})

it('a path at which no folder can be created is reported at once', () => {
  expect(() => openDataFolder('/proc/x/y', 'serve')).toThrow(
    /^The data folder \/proc\/x\/y cannot be created: .+\. Choose another folder with --data\.$/,
  )
})

it('a second process is refused with a message that names the first process, until the first one ends', () => {
  const first = openDataFolder(folder, 'serve')
  expect(() => openDataFolder(folder, 'emulate')).toThrow(
    new RegExp(`^Data folder ${folder} is in use by process ${process.pid} \\(fiscal-rig serve, since 20.*\\)\\.`),
  )
  first.release()
  openDataFolder(folder, 'emulate').release()
})

it('the lock of a killed process is taken over, and the lock of a running process is not, whatever state it lost', async () => {
  const source = `import { openDataFolder } from ${JSON.stringify(join(import.meta.dirname, '../../server/data-folder.ts'))}
    openDataFolder(${JSON.stringify(folder)}, 'serve')
    setInterval(() => undefined, 1000)
    // Node collects garbage between two turns of the event loop.
    setImmediate(() => { gc(); setImmediate(() => console.log('{}')) })`
  const { child, ended, ready } = startNode(['--expose-gc', '--input-type=module', '-e', source])
  try {
    await ready()
    expect(() => openDataFolder(folder, 'serve')).toThrow(`process ${child.pid}`)
  } finally {
    child.kill('SIGKILL')
    await ended
  }
  openDataFolder(folder, 'serve').release()
})

it('the holder of the lock is named only while it runs', async () => {
  openDataFolder(folder, 'serve').release()
  const gone = startNode(['-e', ''])
  await gone.ended
  writeFileSync(
    join(folder, 'owner.json'),
    JSON.stringify({ pid: gone.child.pid, command: 'serve', since: 'yesterday' }),
  )
  const backup = new DatabaseSync(join(folder, 'lock.sqlite'))
  backup.exec('BEGIN EXCLUSIVE')
  expect(() => openDataFolder(folder, 'serve')).toThrow(
    `is in use by a process that holds lock.sqlite and is not process ${gone.child.pid} (fiscal-rig serve, since yesterday), which has ended.`,
  )
  backup.close()
})

it.each([
  ['{"format":2,"files":[]}', 'is of another version of fiscal-rig (folder.json: format 2).'],
  ['{}', 'cannot be read: it names no files.'],
  ['', 'folder.json cannot be read: '],
])('a data folder whose marker is %j is not used', (text, why) => {
  writeFileSync(join(folder, 'folder.json'), text)
  expect(() => openDataFolder(folder, 'serve')).toThrow(why)
})
