import { memoize } from '../model/memoize.ts'
import type { ReceiptPhase } from '../model/receipt.ts'
import type { ByteText } from './charset.ts'
import type { Layout } from './row.ts'

/**
 * A command of a wire, declared once: the driver writes the request and reads the answer, the emulator reads the
 * request and writes the answer, all from this literal, and all that either side knows about the command stands in it.
 * What keeps a wrong constant from hiding in that symmetry are published frames, the ledger, the oracle and the
 * sabotage test (test/).
 */

/**
 * What is different on the device afterwards, from the harmless to the lasting; a word covers those before it too.
 * `nothing`: a question. `paper`: what people see and hear: paper, display, drawer, sound. `day`: a receipt, and the
 * sums and counters of the day. `memory`: what outlasts the day: fiscal memory, clock, programming, passwords.
 */
export type Change = 'nothing' | 'paper' | 'day' | 'memory'

const FISCAL = ['selling', 'paying', 'paid'] as const

/** The phases of the receipt in which a command is allowed; what it is refused with in the others is the family's. */
const SITUATIONS = {
  anywhere: ['idle', 'nonFiscal', ...FISCAL],
  betweenReceipts: ['idle'],
  /** Of the commands that open a fiscal receipt. */
  opening: ['idle'],
  outsideFiscal: ['idle', 'nonFiscal'],
  inNonFiscal: ['nonFiscal'],
  /** Of a sale. */
  selling: ['selling'],
  /** Of whatever else needs a receipt on which nothing is paid yet. */
  beforePayment: ['selling'],
  untilPaid: ['selling', 'paying'],
  inFiscal: FISCAL,
  inReceipt: ['nonFiscal', ...FISCAL],
  whenPaid: ['paid'],
  /** Of the command that closes a fiscal receipt, and of one that closes either kind. */
  closing: ['paid'],
  closingEither: ['nonFiscal', 'paid'],
} as const satisfies Readonly<Record<string, readonly ReceiptPhase[]>>

export type Situation = keyof typeof SITUATIONS

export const isAllowed = (situation: Situation, phase: ReceiptPhase): boolean =>
  (SITUATIONS[situation] as readonly ReceiptPhase[]).includes(phase)

/** What must be in order besides paper; a family's sheet says in which order it is looked at. `pcMode` is B's. */
export type Need = 'fiscalMemory' | 'clock' | 'day' | 'journal' | 'pcMode'

export interface Facts {
  readonly changes: Change
  /** Refused without paper and with the cover open. */
  readonly prints: boolean
  readonly allowedIn: Situation
  readonly needs?: readonly Need[]
  /** Editions of the family that know it; absent: all of them. */
  readonly editions?: readonly string[]
  /** The name that other families have for the same thing, where `name` is another: `on` of a fault rule. */
  readonly runsAs?: string
  /** The link does not write it again after silence: the driver asks first whether the device executed it. */
  readonly once?: boolean
}

/** What is otherwise with some data. All variants that fit are laid over the command's own facts, in their order. */
interface Variant<Ask> extends Partial<Facts> {
  when(ask: Ask): boolean
}

/** What is known of a command besides the facts. */
export interface Details<Ask, Answer> {
  /** Absent: no data. */
  readonly request?: Layout<Ask>
  readonly response?: Layout<Answer>
  readonly variants?: readonly Variant<NoInfer<Ask>>[]
  /** Of several commands with one code: whether data are this command's. The one that lacks it has all other data. */
  readonly claims?: (data: ByteText) => boolean
  /** B: what it prints can be sent as text instead, behind 153. */
  readonly asText?: true
  /** C: the password of the operator in its request is looked at before anything is done. */
  readonly operated?: true
  /** C: whether such data are answered by an acknowledgement, then messages up to the last one (sheet C 4.15). */
  readonly streams?: (data: ByteText) => boolean
  /** Firmware is known that leaves it out. */
  readonly optional?: boolean
  /** It may have been carried out even though no answer came, so it must not simply be asked for again. */
  readonly fiscal?: boolean
  /** How long the device may take altogether; the family's ordinary limit where it is absent. */
  readonly limitMs?: number
}

export interface Command<Name extends string, Ask, Answer> extends Facts, Details<Ask, Answer> {
  /** Same meaning, same name in every family (decisions 8). */
  readonly name: Name
  readonly code: number
  /** Section of the family's sheet. */
  readonly source: string
  readonly request: Layout<Ask>
  readonly response: Layout<Answer>
}

// biome-ignore lint/suspicious/noExplicitAny: a catalogue holds commands of every type
export type AnyCommand = Command<string, any, any>

export type RequestOf<C> = C extends Command<string, infer Ask, infer _> ? Ask : never
export type ResponseOf<C> = C extends Command<string, infer _, infer Answer> ? Answer : never

type None = Record<never, never>

/**
 * How a family declares its commands: `command(name, code, section of the sheet, facts that others share, its own)`.
 * `none` is the family's layout of no data.
 */
export const declaring =
  (none: Layout<None>) =>
  <const Name extends string, Ask = None, Answer = None>(
    name: Name,
    code: number,
    source: string,
    facts: Facts & Details<Ask, Answer>,
    own: Partial<Facts> & Details<Ask, Answer> = {},
  ) =>
    ({ name, code, source, request: none, response: none, ...facts, ...own }) as Command<Name, Ask, Answer>

/** Facts that many commands share. */
export const question = { changes: 'nothing', prints: false, allowedIn: 'anywhere' } as const satisfies Facts
/** Changes what people see or hear, on no paper. */
export const showing = { changes: 'paper', prints: false, allowedIn: 'anywhere' } as const satisfies Facts
export const setting = { changes: 'memory', prints: false, allowedIn: 'betweenReceipts' } as const satisfies Facts

type CommandFacts = Facts & { readonly runsAs: string }

const ownFactsOf = memoize((command: AnyCommand): CommandFacts => {
  const { name, changes, prints, allowedIn, needs, editions, runsAs = name } = command
  return { changes, prints, allowedIn, runsAs, ...(needs && { needs }), ...(editions && { editions }) }
})

/** The facts of a command with these values; `ask` undefined: its data could not be read. */
export function factsOf(command: AnyCommand, ask?: unknown): CommandFacts {
  const own = ownFactsOf(command)
  const fitting = ask === undefined ? [] : (command.variants?.filter(({ when }) => when(ask)) ?? [])
  return fitting.length === 0 ? own : Object.assign({ ...own }, ...fitting.map(({ when: _, ...facts }) => facts))
}

/** Every name under which a command may run; its own is left out where it has a common one instead. */
export function namesOf({ name, runsAs = name, variants = [] }: AnyCommand): readonly string[] {
  const names = [runsAs, ...variants.flatMap((one) => one.runsAs ?? [])]
  return [...new Set(names)].filter((one) => one !== name || runsAs === name)
}

export interface Catalogue<Command extends AnyCommand = AnyCommand> {
  /** Those that the edition knows. */
  readonly all: readonly Command[]
  /** Those of every edition. */
  readonly byName: { readonly [C in Command as C['name']]: C }
  /** Which command of the edition a frame holds; undefined: none that it knows. */
  find(code: number, data: ByteText): Command | undefined
}

/** The commands of a family as an edition knows them. A name or a code that stands twice is a mistake found at start. */
export function catalogue<const Command extends AnyCommand>(
  commands: readonly Command[],
  edition?: string,
): Catalogue<Command> {
  const byName = new Map<string, Command>()
  for (const one of commands) {
    if (byName.has(one.name)) throw new Error(`command ${one.name} is declared twice`)
    byName.set(one.name, one)
  }
  const all = commands.filter(({ editions }) => edition === undefined || (editions?.includes(edition) ?? true))
  const byCode = Map.groupBy(all, ({ code }) => code)
  for (const [code, same] of byCode) {
    if (same.filter(({ claims }) => claims === undefined).length !== 1)
      throw new Error(`command code ${code} is declared twice`)
  }
  return {
    all,
    byName: Object.fromEntries(byName) as unknown as Catalogue<Command>['byName'],
    find(code, data) {
      const same = byCode.get(code)
      return same?.find(({ claims }) => claims?.(data)) ?? same?.find(({ claims }) => claims === undefined)
    },
  }
}
