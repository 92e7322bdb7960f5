/**
 * Responses of a malicious device to a driver's own requests. Whatever the device sends, an operation ends in time,
 * fails only with a DeviceError, and never returns an invalid number.
 */
import { FAMILIES, openPrinter } from '../../../drivers/index.ts'
import { SimulatedClock, simulate } from '../../../drivers/model/clock.ts'
import { DeviceError } from '../../../drivers/model/errors.ts'
import type { Family } from '../../../drivers/model/families.ts'
import { emulatedFamilies } from '../../../emulator/families.ts'
import { EmulatedBinding } from '../../../emulator/line/binding.ts'
import { START, startPrinter } from '../../support/rig.ts'
import { Find, type FuzzTarget } from '../search.ts'
import { joined, MESSAGES, messagesIn } from './messages.ts'
import { talksOf, WORK } from './seed-exchanges.ts'

/**
 * Time limit of an operation: no command takes longer than two minutes, and no operation sends more than 20 commands of
 * that duration.
 */
const WORK_MS = 20 * 120_000
const ANSWER_AFTER_MS = 5

function wrongNumber(value: unknown, at: string): string | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? undefined : `${at}: ${value}`
  if (typeof value !== 'object' || value === null) return undefined
  const members = value instanceof Map ? [...value] : Object.entries(value)
  for (const [name, member] of members) {
    const wrong = wrongNumber(member, `${at}.${name}`)
    if (wrong !== undefined) return wrong
  }
  return undefined
}

/**
 * The first two bytes of an input choose the operation and the profile, and responses follow. An empty response means
 * the correct one.
 */
const answers = (family: Family): FuzzTarget => {
  const profiles = emulatedFamilies.get(family)?.profiles ?? []
  return {
    name: `answers-${family.toLowerCase()}`,
    async seeds() {
      const seeds: Buffer[] = []
      for (const [at, profile] of profiles.entries()) {
        const talks = await talksOf(family, profile)
        for (const [work, talk] of talks.entries()) {
          const head = Buffer.of(0x30 + work, 0x30 + at)
          seeds.push(Buffer.concat([head, joined([...(talks[0]?.answers ?? []), ...talk.answers])]))
          seeds.push(Buffer.concat([head, joined(talk.answers.map((one, turn) => (turn % 2 ? one : Buffer.alloc(0))))]))
        }
      }
      return seeds
    },
    async run(input) {
      const messages = MESSAGES[family]
      const work = WORK[((input[0] ?? 0x30) - 0x30) % WORK.length] ?? WORK[0]
      const profile = profiles[((input[1] ?? 0x30) - 0x30) % profiles.length] ?? profiles[0]
      if (!messages || !work || profile === undefined) throw new Error(`no family ${family}`)
      const left = [...messagesIn(input.subarray(2))]
      const clock = new SimulatedClock(START)
      const device = startPrinter({ family, profile, clock })
      const binding = new EmulatedBinding(
        'evil',
        { manufacturer: 'nobody', serialNumber: '1' },
        {
          powered: () => true,
          opened(port) {
            const say = (bytes: Uint8Array) => void (port.isOpen && port.emit(Buffer.from(bytes)))
            const line = device.attach(say)
            return {
              receive(bytes) {
                const question = messages.asked(bytes)
                const answer = question && left.shift()
                if (!question || !answer || answer.length === 0) return line.receive(bytes)
                clock.after(ANSWER_AFTER_MS, () => say(messages.answer(answer, question)))
              },
              closed: () => undefined,
            }
          },
        },
      )
      const printer = openPrinter({ family, device: 'evil' }, { binding, clock, random: () => 0.5 })
      const outcome = async (): Promise<string> => {
        try {
          const wrong = wrongNumber(await work(printer), 'the result')
          if (wrong !== undefined) throw new Find(wrong)
          return 'done'
        } catch (error) {
          if (error instanceof DeviceError) return error.problem.kind
          throw error
        }
      }
      try {
        const result = await simulate(clock, outcome())
        if (clock.now() > WORK_MS) throw new Find(`it takes ${clock.now()} ms`)
        return result
      } finally {
        await printer.disconnect()
        await device.close()
      }
    },
    longest: 2048,
  }
}

export const drivers: readonly FuzzTarget[] = FAMILIES.map(answers)
