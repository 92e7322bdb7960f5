import type { Emulator } from '../../emulator/emulator.ts'
import type { Rule } from '../../emulator/faults/rule.ts'

export interface ManualActionStep {
  readonly step?: string
  readonly makesDocuments?: true
  play(emulator: Emulator): void | Promise<void>
}

const HOUR_MS = 3_600_000

const UNREADABLE: Rule = { at: 'command.before', on: 'journalRead', do: 'refuse' }

export const MANUAL_ACTIONS = {
  'paper out': { step: 'paper: out', play: (emulator) => emulator.setPaper('out') },
  'paper in': { step: 'paper: ok', play: (emulator) => emulator.setPaper('ok') },
  'cover open': { step: 'cover: open', play: (emulator) => emulator.setCover(true) },
  'cover closed': { step: 'cover: closed', play: (emulator) => emulator.setCover(false) },
  'power off': { step: 'power: off', play: (emulator) => emulator.setPower(false) },
  'power on': { step: 'power: on', play: (emulator) => emulator.setPower(true) },
  'cable out': { step: 'cable: out', play: (emulator) => emulator.setCable(false) },
  'cable in': { step: 'cable: in', play: (emulator) => emulator.setCable(true) },
  'the trouble ends': { step: 'clearFaults: true', play: (emulator) => emulator.faults.clear() },
  /** The device refuses to read out its electronic journal until the trouble ends. */
  'electronic journal unreadable': {
    step: `fault: ${JSON.stringify(UNREADABLE)}`,
    play: (emulator) => void emulator.faults.add(UNREADABLE),
  },
  'Z report': { makesDocuments: true, play: (emulator) => void emulator.device.reportZ() },
  'clock one hour on': {
    play: (emulator) => void emulator.setClock(emulator.device.localTime(emulator.device.now() + HOUR_MS)),
  },
} as const satisfies Readonly<Record<string, ManualActionStep>>

export type ManualAction = keyof typeof MANUAL_ACTIONS

/** The actions that restore the device. Power comes first, because a device without power notices no other action. */
export const ALL_IN_ORDER = [
  'power on',
  'cable in',
  'cover closed',
  'paper in',
] as const satisfies readonly ManualAction[]
