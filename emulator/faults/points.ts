import type { BookPoints } from '../fiscal/types/events.ts'
import type { Pieces } from './pieces.ts'

/**
 * The six injection points. The device calls the injector only there; effects come from rules, never from a switch in
 * production code.
 */
export const POINTS = {
  'link.toDevice': { words: 'on the way to the device', moments: ['toDevice'] },
  'link.toHost': { words: 'on the way to the host', moments: ['toHost'] },
  'command.before': { words: 'before the command is executed', moments: ['before'] },
  'command.after': { words: 'after the command was executed', moments: ['after'] },
  // `write` has the kind of the write; `full` asks whether there is room for it.
  'memory.write': { words: 'at a write to the memory', moments: ['write', 'full'] },
  'paper.line': { words: 'at a printed line', moments: ['line'] },
} as const

export type Point = keyof typeof POINTS
export type LinkPoint = Extract<Point, `link.${string}`>
export type CommandPoint = Extract<Point, `command.${string}`>
/** A moment at an injection point: one column of the table of effects (effects.ts). */
export type Moment = (typeof POINTS)[Point]['moments'][number]

export const POINT_NAMES = Object.keys(POINTS) as [Point, ...Point[]]

export interface Transmission {
  /** Name of the command in the request or answer; `unknown` if it cannot be determined. */
  readonly command: string
  readonly bytes: Uint8Array
}

/** The replacement of a transmission. Without pieces, the transmission is lost. */
export interface Delivery {
  readonly pieces: Pieces
  readonly ending?: 'unplug' | 'powerCut'
}

/** Several faults are possible together; a power cut takes precedence. */
export interface CommandInterference {
  /** Before the command: it is not executed. After the command: it is not answered. */
  readonly drop?: boolean
  readonly refuse?: boolean
  /** Additional time of the command in ms. Meanwhile the device sends the busy bytes of its wire protocol. */
  readonly busyMs?: number
  readonly ending?: 'unplug' | 'powerCut'
}

export interface Injector extends BookPoints {
  /** Returns false if no rule can be triggered at this point, so that the device can skip the call. */
  watches(point: Point): boolean
  link(point: LinkPoint, transmission: Transmission): Delivery
  command(point: CommandPoint, command: string): CommandInterference
}

export interface FaultReport {
  readonly point: Point
  readonly what: string
  readonly on?: string
  readonly rule?: number
}

export interface DeviceControls {
  setPaper(state: 'ok' | 'low' | 'out'): void
  setCover(open: boolean): void
  /** Returns the device's answer to an unreadable frame; `undefined` if the wire protocol has none. */
  refusal(): Uint8Array | undefined
  /** Returns the busy byte and its interval; `undefined` if the wire protocol has none. */
  busy(): { readonly byte: number; readonly everyMs: number } | undefined
  report(fault: FaultReport): void
}
