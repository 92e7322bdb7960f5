import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { countNextToLog, openCountFile } from '../../../server/operations/log/count-file.ts'

describe('the count file next to the operation log', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'count-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it.each([
    ['an older count', (path: string) => writeFileSync(path, '0000000000000001\n', { flag: 'r+' })],
    ['nothing', (path: string) => truncateSync(path)],
  ])('is checked and rewritten after a copy with %s was restored in its place', (_what, restore) => {
    const log = join(folder, 'answers.sqlite')
    const file = openCountFile(log, 7)
    expect(file.isUnchanged()).toBe(true)
    file.write(8)
    expect(file.isUnchanged()).toBe(true)
    restore(join(folder, 'answers.count'))
    expect(file.isUnchanged()).toBe(false)
    file.close()
    expect(countNextToLog(log, true)).toBe(8)
  })

  it('is refused with its path if it is a folder', () => {
    mkdirSync(join(folder, 'answers.count'))
    expect(() => countNextToLog(join(folder, 'answers.sqlite'), true)).toThrow(
      /answers\.count, which counts its writes, cannot be read: .*estore/,
    )
  })
})
