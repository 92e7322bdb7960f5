/**
 * The table of effects: value, description and handlers. An effect is possible at a moment only if it has a handler for
 * it. Plan, injector and control panel are derived from this table.
 */
import { countText } from '../../drivers/model/count-text.ts'
import { escapeControl } from '../../drivers/model/escape-control.ts'
import { PowerCut } from '../fiscal/types/events.ts'
import { damageLastByte, delayPieces, firstOf, flipBit, type Pieces, slowPieces, split, withByte } from './pieces.ts'
import {
  type CommandInterference,
  type Delivery,
  type DeviceControls,
  type FaultReport,
  type Moment,
  POINTS,
  type Point,
} from './points.ts'

export interface EffectTarget extends Pick<DeviceControls, 'setPaper' | 'setCover' | 'refusal' | 'busy'> {
  fillMemory(): void
  delayCommand(ms: number): void
}

export interface EffectContext<Value> {
  readonly value: Value
  readonly rule: { readonly after?: number; readonly byte?: number }
  readonly device: EffectTarget
}

/** `write`, `full` and `line` run inside a booking operation and may throw PowerCut, which undoes the operation. */
export interface EffectHandlers<Value> {
  toDevice?(delivery: Delivery, context: EffectContext<Value>): Delivery
  toHost?(delivery: Delivery, context: EffectContext<Value>): Delivery
  before?(interference: CommandInterference, context: EffectContext<Value>): CommandInterference
  after?(interference: CommandInterference, context: EffectContext<Value>): CommandInterference
  write?(context: EffectContext<Value>): void
  full?(context: EffectContext<Value>): void
  line?(context: EffectContext<Value>): void
}

/** `sign` is the placeholder for the value in messages, for example BIT in `{flip: BIT}`. */
interface WholeNumber {
  readonly min: number
  readonly max: number
  readonly label: string
  readonly sign: string
}
interface Characters {
  readonly pattern: RegExp
  readonly expected: string
  readonly label: string
  readonly sign: string
}

export interface EffectRow<Value> {
  readonly takes?: WholeNumber | Characters
  readonly words: (value: Value) => string
  readonly effectHandlers: EffectHandlers<Value>
}

const simple = (words: string, effectHandlers: EffectHandlers<undefined>) => ({ words: () => words, effectHandlers })
const numbered = (takes: WholeNumber, words: (value: number) => string, effectHandlers: EffectHandlers<number>) =>
  ({ takes, words, effectHandlers }) // biome-ignore format: as its neighbours
const worded = (takes: Characters, words: (value: string) => string, effectHandlers: EffectHandlers<string>) =>
  ({ takes, words, effectHandlers }) // biome-ignore format: as its neighbours

const onLine = <Value>(shape: (pieces: Pieces, context: EffectContext<Value>) => Pieces): EffectHandlers<Value> => {
  const apply = (delivery: Delivery, context: EffectContext<Value>) => ({
    ...delivery,
    pieces: shape(delivery.pieces, context),
  })
  return { toDevice: apply, toHost: apply }
}

const ending = (what: 'unplug' | 'powerCut'): EffectHandlers<undefined> => {
  const apply = ({ pieces }: Delivery, { rule }: EffectContext<undefined>) =>
    ({ pieces: firstOf(pieces, rule.after ?? 0), ending: what }) // biome-ignore format: one value
  return { toDevice: apply, toHost: apply }
}

const around = <Value>(
  apply: (interference: CommandInterference, context: EffectContext<Value>) => CommandInterference,
): EffectHandlers<Value> => ({
  before: apply,
  after: apply,
})

const manualEffect = (act: (device: EffectTarget) => void): EffectHandlers<undefined> => {
  const apply = ({ device }: EffectContext<undefined>) => act(device)
  const meanwhile = <Passing>(passing: Passing, context: EffectContext<undefined>): Passing => {
    apply(context)
    return passing
  }
  return { toDevice: meanwhile, toHost: meanwhile, before: meanwhile, after: meanwhile, write: apply, line: apply }
}

const powerCut = (): never => {
  throw new PowerCut()
}

function afterBusyBytes(pieces: Pieces, { value, device }: EffectContext<number>): Pieces {
  const busy = device.busy()
  if (!busy) return delayPieces(pieces, value)
  const beats = Math.floor(value / busy.everyMs)
  const beat = { bytes: Uint8Array.of(busy.byte), afterMs: busy.everyMs }
  return [...Array.from({ length: beats }, () => beat), ...delayPieces(pieces, value - beats * busy.everyMs)]
}

/** Maximum pause of a rule, in ms: a device is busy for minutes, not for days. */
const LONGEST_MS = 3_600_000
const MILLISECONDS = { min: 0, max: LONGEST_MS, label: 'Milliseconds', sign: 'N' }

const EFFECTS = {
  drop: simple('lost', {
    ...onLine((pieces, { rule }) =>
      rule.byte === undefined ? firstOf(pieces, rule.after ?? 0) : withByte(pieces, rule.byte, () => []),
    ),
    ...around((interference) => ({ ...interference, drop: true })),
  }),
  duplicate: simple(
    'duplicated',
    onLine((pieces, { rule }) =>
      rule.byte === undefined ? [...pieces, ...pieces] : withByte(pieces, rule.byte, (one) => [one, one]),
    ),
  ),
  refuse: simple('refused', {
    toDevice: (delivery) => ({ ...delivery, pieces: damageLastByte(delivery.pieces) }),
    /**
     * Replaces the answer with the device's refusal of an unreadable frame. If the device has no such refusal, damages
     * the answer.
     */
    toHost(delivery, { device }) {
      const bytes = device.refusal()
      return { ...delivery, pieces: bytes ? [{ bytes, afterMs: 0 }] : damageLastByte(delivery.pieces) }
    },
    before: (interference) => ({ ...interference, refuse: true }),
  }),
  paperOut: simple(
    'paper runs out',
    manualEffect((device) => device.setPaper('out')),
  ),
  coverOpen: simple(
    'cover opens',
    manualEffect((device) => device.setCover(true)),
  ),
  powerCut: simple('power cut', {
    ...ending('powerCut'),
    ...around((interference) => ({ ...interference, ending: 'powerCut' })),
    write: powerCut,
    line: powerCut,
  }),
  memoryFull: simple('memory full', {
    before(interference, { device }) {
      device.fillMemory()
      return interference
    },
    full: () => undefined,
  }),
  unplug: simple('unplugged and plugged in again', {
    ...ending('unplug'),
    ...around((interference) => ({ ...interference, ending: interference.ending ?? 'unplug' })),
  }),
  /** Bit 0 is the lowest bit of the first byte. A shorter frame uses the byte number modulo its length. */
  flip: numbered(
    { min: 0, max: 65_535, label: 'Bit of the frame', sign: 'BIT' },
    (bit) => `bit ${bit} flipped`,
    onLine((pieces, { value }) => flipBit(pieces, value)),
  ),
  split: numbered(
    { min: 1, max: 8191, label: 'Bytes before the pause', sign: 'BYTES' },
    (bytes) => `split after ${countText(bytes, 'byte')}`,
    onLine((pieces, { value }) => split(pieces, value)),
  ),
  delayMs: numbered(
    MILLISECONDS,
    (ms) => `${ms} ms late`,
    onLine((pieces, { value }) => delayPieces(pieces, value)),
  ),
  slowMs: numbered(
    { min: 1, max: 60_000, label: 'Milliseconds between bytes', sign: 'N' },
    (ms) => `byte by byte, ${ms} ms apart`,
    onLine((pieces, { value }) => slowPieces(pieces, value)),
  ),
  busyMs: numbered(MILLISECONDS, (ms) => `busy for ${ms} ms`, {
    toDevice(delivery, { value, device }) {
      device.delayCommand(value)
      return delivery
    },
    toHost: (delivery, context) => ({ ...delivery, pieces: afterBusyBytes(delivery.pieces, context) }),
    ...around((interference, { value }) => ({ ...interference, busyMs: (interference.busyMs ?? 0) + value })),
  }),
  noise: worded(
    {
      pattern: /^[\0-\u00ff]{1,1024}$/,
      expected: 'expected 1 to 1024 characters up to U+00FF, each of which is one byte',
      label: 'Text before the frame',
      sign: 'TEXT',
    },
    (text) => `noise ${JSON.stringify(text)}`,
    onLine((pieces, { value }) => [
      { bytes: Uint8Array.from(value, (sign) => sign.charCodeAt(0)), afterMs: 0 },
      ...pieces,
    ]),
  ),
}

type Effects = typeof EFFECTS
export type EffectName = keyof Effects
type SimpleEffect = {
  [Name in EffectName]: Effects[Name] extends { readonly takes: unknown } ? never : Name
}[EffectName]
export type Effect =
  | SimpleEffect
  | {
      [Name in Exclude<EffectName, SimpleEffect>]: {
        readonly [Key in Name]: Effects[Name]['takes'] extends Characters ? string : number
      }
    }[Exclude<EffectName, SimpleEffect>]

export const EFFECT_NAMES = Object.keys(EFFECTS) as readonly EffectName[]

export const rowOf = (name: EffectName): EffectRow<never> => EFFECTS[name]

export const SIMPLE_EFFECTS = EFFECT_NAMES.filter((name): name is SimpleEffect => rowOf(name).takes === undefined)

export const effectName = (effect: Effect): EffectName =>
  typeof effect === 'string' ? effect : (Object.keys(effect)[0] as EffectName)

export const effectValue = (effect: Effect): unknown =>
  typeof effect === 'string' ? undefined : Object.values(effect)[0]

/** Returns the effect as reports name it: `drop`, `flip 43`. */
export const reportOf = (effect: Effect): string =>
  typeof effect === 'string' ? effect : `${effectName(effect)} ${JSON.stringify(effectValue(effect))}`

const isEffectName = (name: string): name is EffectName => name in EFFECTS

export function describeEffect(effect: Effect | string): string {
  const [, name = '', value] = /^(\w+)(?: (.*))?$/.exec(typeof effect === 'string' ? effect : reportOf(effect)) ?? []
  if (!isEffectName(name)) return name
  return rowOf(name).words((value === undefined ? undefined : JSON.parse(value)) as never)
}

/** Returns true if the frame still reaches the device, delayed or changed. */
export const isOnItsWay = ({ point, what }: { readonly point: Point; readonly what: string }): boolean =>
  point === 'link.toDevice' && !NOTHING_ARRIVES.includes(what)

const NOTHING_ARRIVES: readonly string[] = ['drop', 'powerCut', 'unplug'] satisfies readonly SimpleEffect[]

export const describeTrigger = ({ point, what }: { readonly point: Point; readonly what: string }): string =>
  `${describeEffect(what)} ${POINTS[point].words}`

/** Formats a fault among the lines of frames: `! rule 1, closeFiscal: lost on the way to the host`. */
export function faultLine({ rule, on, ...trigger }: FaultReport): string {
  const place = [...(rule === undefined ? [] : [`rule ${rule}`]), ...(on === undefined ? [] : [on])].join(', ')
  return escapeControl(`! ${place === '' ? '' : `${place}: `}${describeTrigger(trigger)}`)
}

export const effectsAt = (point: Point): readonly EffectName[] =>
  EFFECT_NAMES.filter((name) => POINTS[point].moments.some((moment: Moment) => moment in rowOf(name).effectHandlers))
