import type { BookPoints } from '../fiscal/types/events.ts'
import type { Pieces } from './pieces.ts'

/**
 * The places where trouble may strike, and what may happen there. The device asks at these six points and nowhere else;
 * what it is told comes from data (rules), never from a switch in production code.
 */
export const POINTS = {
  'link.toDevice': { words: 'on the way to the device', moments: ['toDevice'] },
  'link.toHost': { words: 'on the way to the host', moments: ['toHost'] },
  'command.before': { words: 'before the command is carried out', moments: ['before'] },
  'command.after': { words: 'after the command was carried out', moments: ['after'] },
  // What is being written, and whether there is room for it.
  'memory.write': { words: 'at a write to the memory', moments: ['write', 'full'] },
  'paper.line': { words: 'at a printed line', moments: ['line'] },
} as const

export type Point = keyof typeof POINTS
export type LinkPoint = Extract<Point, `link.${string}`>
export type CommandPoint = Extract<Point, `command.${string}`>
/** What the device asks at its points: the columns of the table of effects. */
export type Moment = (typeof POINTS)[Point]['moments'][number]

export const POINT_NAMES = Object.keys(POINTS) as [Point, ...Point[]]

/** A frame or a single byte on its way. */
export interface Transmission {
  /** Name of the command that it asks or answers; `unknown` where it cannot be told. */
  readonly command: string
  readonly bytes: Uint8Array
}

/** What arrives in its place: pieces in their order, each after a pause; nothing at all: it is lost. */
export interface Delivery {
  readonly pieces: Pieces
  /** What happens behind the last piece. */
  readonly ending?: 'unplug' | 'powerCut'
}

/** What happens around a command. Several may happen at once; the power goes last. */
export interface CommandInterference {
  /** Not carried out (before) or carried out without an answer (after). */
  readonly drop?: boolean
  /** Before: the device gives its own refusal instead. */
  readonly refuse?: boolean
  /** Works for longer than it would, with the busy answers of its wire. */
  readonly busyMs?: number
  readonly ending?: 'unplug' | 'powerCut'
}

export interface Injector extends BookPoints {
  /** False: nothing waits at this point, and the device takes its short way. */
  watches(point: Point): boolean
  link(point: LinkPoint, transmission: Transmission): Delivery
  command(point: CommandPoint, command: string): CommandInterference
}

export interface FaultReport {
  readonly point: Point
  readonly what: string
  readonly on?: string
  /** Number of the rule. */
  readonly rule?: number
}

/** What a fault may do to the device besides what happens on the line. */
export interface DeviceControls {
  setPaper(state: 'ok' | 'low' | 'out'): void
  setCover(open: boolean): void
  /** What the device says to a frame that it cannot read; undefined: nothing. */
  refusal(): Uint8Array | undefined
  /** Its busy byte and the rhythm of it; undefined: this wire has none. */
  busy(): { readonly byte: number; readonly everyMs: number } | undefined
  /** Reported to whoever watches: a rule has struck. */
  report(fault: FaultReport): void
}
