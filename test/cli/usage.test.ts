/** Messages of the command line about wrong usage and a wrong configuration, and its help (decisions 5). */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runToEnd } from '../support/in-process.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fiscal-rig-usage-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('wrong usage is answered with exit status 2', () => {
  it.each([
    [['no-such-command']],
    [['serve', '--family', 'D']],
    [['serve', '--http-port', '65536']],
    [['serve', '--no-such-option']],
    [['serve', '--profile', 'no-such-profile', '--data', 'memory']],
    [['serve', '--config', 'gone.yaml']],
    [['mock-platform', '--config', 'gone.yaml']],
    [['run', '.', '--target', 'nope']],
    [['replay', 'x', '--target', 'http://127.0.0.1:1']],
    [['emulate']],
    [['emulate', '--family', 'A', '--tcp', 'x']],
    [['emulate', '--family', 'A', '--data', '']],
    [['emulate', '--family', 'A', '--switch', 'duplicateMatch']],
    [['emulate', '--family', 'A', '--switch', 'duplicateMatch=never', '--data', 'memory']],
  ])('for %j', async (args) => {
    const { status, out, err } = await runToEnd(args, { cwd: folder })
    expect([status, out]).toEqual([2, ''])
    expect(err).not.toBe('')
  })

  it.each([
    [['check', '--queues=redis://me:hidden@h']],
    [['check', "--queues=rediss://me:hid'hidden@@h"]],
    [['redis://me:hidden@h']],
  ])('without the password in the message: %j', async (args) => {
    const { status, out, err } = await runToEnd(args, { cwd: folder })
    expect([status, out]).toEqual([2, ''])
    expect(err).toMatch(/^error: /)
    expect(err).not.toMatch(/hid/)
  })

  it('with one line for each problem of the configuration', async () => {
    writeFileSync(
      join(folder, 'fiscal-rig.yaml'),
      'platform: {mapping: {taxCodes: [{rate: "9.00", code: 9}]}}\nbaud: 1\n',
    )
    const { status, err } = await runToEnd(['serve'], { cwd: folder })
    expect(status).toBe(2)
    expect(err.trim().split('\n')).toEqual([
      'fiscal-rig.yaml: baud: expected a whole number from 300 to 4000000',
      'fiscal-rig.yaml: platform.mapping.taxCodes[0].code: expected a whole number from 1 to 8',
    ])
  })
})

it.each([[['--help']], [['serve', '--help']], [['--version']]])('the command line %j exits with 0', async (args) => {
  const { status, out } = await runToEnd(args)
  expect(status).toBe(0)
  expect(out).not.toBe('')
})
