/** What a person does to the device, here and in a scenario file. */
import type { Emulator } from '../../emulator/emulator.ts'

interface HandMove {
  /** The step of a scenario. */
  readonly step: string
  play(emulator: Emulator): void | Promise<void>
}

export const HANDS = {
  'paper out': { step: 'paper: out', play: (emulator) => emulator.setPaper('out') },
  'paper in': { step: 'paper: ok', play: (emulator) => emulator.setPaper('ok') },
  'cover open': { step: 'cover: open', play: (emulator) => emulator.setCover(true) },
  'cover closed': { step: 'cover: closed', play: (emulator) => emulator.setCover(false) },
  'power off': { step: 'power: off', play: (emulator) => emulator.setPower(false) },
  'power on': { step: 'power: on', play: (emulator) => emulator.setPower(true) },
  'cable out': { step: 'cable: out', play: (emulator) => emulator.setCable(false) },
  'cable in': { step: 'cable: in', play: (emulator) => emulator.setCable(true) },
  /** All fault rules are gone: what was silent is heard again. */
  'the trouble ends': { step: 'clearFaults: true', play: (emulator) => emulator.faults.clear() },
} as const satisfies Readonly<Record<string, HandMove>>

export type Hand = keyof typeof HANDS

/** Everything in order again; the power first, without which nothing else is noticed. */
export const ALL_IN_ORDER: readonly Hand[] = ['power on', 'cable in', 'cover closed', 'paper in']
