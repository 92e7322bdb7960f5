import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { driverFamilies } from '../../../drivers/families.ts'
import { FAMILIES } from '../../../drivers/index.ts'
import type { Family } from '../../../drivers/model/families.ts'
import { Deframer } from '../../../drivers/wire/deframer.ts'
import { emulatedFamilies } from '../../../emulator/families.ts'
import type { EmulatedFamily } from '../../../emulator/wire.ts'
import { type BareWire, startWire } from '../../support/rig.ts'
import { Find, type FuzzTarget } from '../search.ts'
import { joined, MESSAGES, messagesIn } from './messages.ts'
import { talksOf } from './seed-exchanges.ts'

const FRAMES = join(import.meta.dirname, '..', '..', '..', 'fixtures', 'frames')
const ANSWERS_MAX = 1024 * 1024

function emulated(family: Family): EmulatedFamily {
  const device = emulatedFamilies.get(family)
  if (!device) throw new Error(`no family ${family}`)
  return device
}

function notTooMuch(asked: number, said: readonly Uint8Array[]): void {
  const bytes = said.reduce((sum, one) => sum + one.length, 0)
  if (bytes > ANSWERS_MAX + 4096 * asked) throw new Find(`${asked} bytes are answered by ${bytes}`)
}

/** Control characters must not reach the paper. */
function cleanPaper({ device }: BareWire): void {
  const dirty = device
    .documents()
    .flatMap(({ text }) => text)
    .find((line) => /\p{Cc}/u.test(line))
  if (dirty !== undefined) throw new Find(`on paper: ${JSON.stringify(dirty)}`)
}

const raw = (family: Family): FuzzTarget => ({
  name: `wire-${family.toLowerCase()}`,
  seeds: () => {
    const file = readFileSync(join(FRAMES, `family-${family.toLowerCase()}.json`), 'utf8')
    return [...file.matchAll(/"bytes": ?"([0-9A-F ]+)"/g)].map(([, hex = '']) =>
      Buffer.from(hex.replaceAll(' ', ''), 'hex'),
    )
  },
  run(input) {
    const driver = driverFamilies.get(family)
    if (!driver) throw new Error(`no family ${family}`)
    const wire = startWire(emulated(family))
    const answers = wire.messages(input)
    notTooMuch(input.length, answers)
    cleanPaper(wire)
    const host = new Deframer(driver.linkRules.shape)
    const kinds = [input, ...answers].flatMap((bytes) => host.push(bytes)).map(({ kind }) => kind)
    return `${answers.map(({ length }) => length).slice(0, 8)} ${kinds.slice(0, 12)}`
  },
})

/** The first byte of an input selects the profile, and complete messages follow. */
const whole = (family: Family): FuzzTarget => ({
  name: `messages-${family.toLowerCase()}`,
  async seeds() {
    const seeds: Buffer[] = []
    for (const [at, profile] of emulated(family).profiles.entries()) {
      const talks = await talksOf(family, profile)
      const head = Buffer.of(0x30 + at)
      seeds.push(...talks.map(({ questions }) => Buffer.concat([head, joined(questions)])))
    }
    return seeds
  },
  run(input) {
    const messages = MESSAGES[family]
    if (!messages) throw new Error(`no messages of family ${family}`)
    const { profiles } = emulated(family)
    const wire = startWire(emulated(family), {
      profile: profiles[((input[0] ?? 0x30) - 0x30) % profiles.length] ?? (profiles[0] as string),
    })
    const lengths: number[] = []
    for (const [number, message] of messagesIn(input.subarray(1)).entries()) {
      const answers = wire.messages(messages.question(message, number))
      notTooMuch(message.length + 10, answers)
      for (const one of answers) {
        const wrong = messages.wrongInAnswer(one)
        if (wrong !== undefined) throw new Find(`${wrong}: ${Buffer.from(one).toString('hex')}`)
      }
      wire.clock.advance(100)
      lengths.push(answers.length)
    }
    cleanPaper(wire)
    return lengths.slice(0, 16).join()
  },
  longest: 2048,
})

export const wires: readonly FuzzTarget[] = FAMILIES.flatMap((family) => [raw(family), whole(family)])
