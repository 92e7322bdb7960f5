import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEPTHS } from '../../drivers/wire/questionnaire.ts'
import { emulatedFamilies } from '../../emulator/families.ts'
import { PassportMistakes, readPassport } from '../../scenarios/passport/passport-format.ts'
import { runToEnd } from '../support/in-process.ts'

const good = `passport: 1
complete: true
rig: 0.2.0
depth: ${DEPTHS[0]}
device: { family: A, profile: ${emulatedFamilies.get('A')?.profiles[0]} }
line: {}
switches: {}
notSeen: []
facts: {}
overrides: []
differences: []
same: 0
`

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fiscal-rig-passport-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const withOverrides = (override: string): string => `${good.replace(/^overrides:.*\n/m, `overrides: [${override}]\n`)}`
const withSwitches = (switches: string): string => good.replace(/^switches:.*\n/m, `switches: ${switches}\n`)
const withFacts = (facts: string): string => good.replace(/^facts:.*\n/m, `facts: ${facts}\n`)

const bomb = `${Array.from({ length: 12 }, (_, at) => `a${at}: &a${at} [${Array.from({ length: 9 }, () => (at === 0 ? 'x' : `*a${at - 1}`)).join()}]`).join('\n')}\n`

const HOSTILE: Readonly<Record<string, string>> = {
  'an offset that no frame has': withOverrides('{ command: "0x10", answer: { fields: { "900000000": x } } }'),
  'a width at such an offset': withOverrides('{ command: "0x10", answer: { widths: { "900000000": 64 } } }'),
  'a missing offset': withOverrides('{ command: "0x10", answer: { missing: [900000000] } }'),
  'data longer than a frame': withOverrides(`{ command: "0x10", answer: { data: "${'x'.repeat(100_000)}" } }`),
  'bytes longer than a frame': withOverrides(`{ command: "0x10", bytes: "${'41 '.repeat(100_000)}41" }`),
  'pieces without end': withOverrides(`{ command: "0x10", answer: { added: [${'x,'.repeat(10_000)}] } }`),
  'a width of text that no paper has': withFacts('{ textWidth: { nonFiscalText: 30000000 } }'),
  'a switch called constructor': withSwitches('{ constructor: x }'),
  'a switch called __proto__': withSwitches('{ __proto__: x }'),
  'a switch called toString': withSwitches('{ toString: x }'),
  'a switch that was not seen and is called constructor': good.replace(/^notSeen:.*\n/m, 'notSeen: [constructor]\n'),
  'a command called constructor': withOverrides('{ command: constructor, silent: true }'),
  'an alias bomb': `${bomb}passport: 1\n`,
  'lists without end': `passport: ${'['.repeat(50_000)}`,
  'a list that holds itself': 'passport: &a [*a]\n',
  'more than anybody writes': `# ${'x'.repeat(17 * 1024 * 1024)}\n${good}`,
}

describe('a passport from another person', () => {
  it('without a mistake is read', () => {
    expect(readPassport('good.yaml', good).passport).toBe(1)
  })

  it.each(Object.entries(HOSTILE))('with %s is refused', async (_name, text) => {
    expect(text).not.toBe(good)
    const before = process.memoryUsage().rss
    expect(() => readPassport('hostile.yaml', text)).toThrow(PassportMistakes)
    expect(process.memoryUsage().rss - before).toBeLessThan(512 * 1024 * 1024)
  })

  it('is refused if it is a device file', async () => {
    const file = join(folder, 'case.yaml')
    writeFileSync(file, 'name: x\nfamilies: [A]\nsteps: [{ post /report-x: }]\n')
    expect((await runToEnd(['run', file, '--passport', '/dev/zero'])).status).toBe(2)
  })
})
