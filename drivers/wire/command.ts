/**
 * A command of a wire protocol, declared once for the driver and the emulator. A wrong constant would therefore be
 * wrong on both sides. Published frames, the ledger, the oracle and the sabotage test (test/) detect such mistakes.
 */
import { memoize } from '../model/memoize.ts'
import type { ReceiptPhase } from '../model/receipt.ts'
import type { ByteText } from './charset.ts'
import type { Layout } from './row.ts'

/**
 * The change that a command makes on the device. Each value includes those before it. `paper`: visible and audible
 * changes, such as print, display, drawer and sound. `day`: a receipt, the sums and counters of the day. `memory`:
 * fiscal memory, clock, programming, passwords.
 */
export type Change = 'nothing' | 'paper' | 'day' | 'memory'

const FISCAL = ['selling', 'paying', 'paid'] as const

/** Phases of the receipt in which a command is allowed. The family defines the refusals in the other phases. */
const SITUATIONS = {
  anywhere: ['idle', 'nonFiscal', ...FISCAL],
  betweenReceipts: ['idle'],
  opening: ['idle'],
  outsideFiscal: ['idle', 'nonFiscal'],
  inNonFiscal: ['nonFiscal'],
  selling: ['selling'],
  /** Situation of commands other than sales that need a receipt without payments. */
  beforePayment: ['selling'],
  untilPaid: ['selling', 'paying'],
  inFiscal: FISCAL,
  inReceipt: ['nonFiscal', ...FISCAL],
  whenPaid: ['paid'],
  closing: ['paid'],
  closingEither: ['nonFiscal', 'paid'],
} as const satisfies Readonly<Record<string, readonly ReceiptPhase[]>>

export type Situation = keyof typeof SITUATIONS

export const isAllowed = (situation: Situation, phase: ReceiptPhase): boolean =>
  (SITUATIONS[situation] as readonly ReceiptPhase[]).includes(phase)

/**
 * A condition besides paper. The protocol specification of each family defines the order of the checks. `pcMode` exists
 * only on family B.
 */
export type Need = 'fiscalMemory' | 'clock' | 'day' | 'journal' | 'pcMode'

export interface Facts {
  readonly changes: Change
  /** True if the device refuses the command when paper is missing or the cover is open. */
  readonly prints: boolean
  readonly allowedIn: Situation
  readonly needs?: readonly Need[]
  readonly editions?: readonly string[]
  /** Name of the command's function in other families, if it differs from `name`. `on` in fault rules refers to it. */
  readonly runsAs?: string
  readonly once?: boolean
}

/** Facts that depend on the data. All matching variants are merged into the facts of the command, in their order. */
interface Variant<Ask> extends Partial<Facts> {
  when(ask: Ask): boolean
}

export interface Details<Ask, Answer> {
  readonly request?: Layout<Ask>
  readonly response?: Layout<Answer>
  readonly variants?: readonly Variant<NoInfer<Ask>>[]
  /**
   * Returns whether the data belongs to this command, if several commands have the same code. The command without
   * `claims` has all other data.
   */
  readonly claims?: (data: ByteText) => boolean
  /** Family B: after command 153, the device sends the printed content as text instead. */
  readonly asText?: true
  /** Family C: the device checks the operator's password in the request first. */
  readonly operated?: true
  /**
   * Family C: returns whether the device answers this data with an acknowledgement and then several messages (sheet C
   * 4.15).
   */
  readonly streams?: (data: ByteText) => boolean
  /** True if some known firmware lacks the command. */
  readonly optional?: boolean
  /** True if the device may execute the command without an answer, so that it must not simply be sent again. */
  readonly fiscal?: boolean
  readonly limitMs?: number
}

export interface Command<Name extends string, Ask, Answer> extends Facts, Details<Ask, Answer> {
  /** Commands of the same meaning have the same name in every family (decisions 8). */
  readonly name: Name
  readonly code: number
  readonly source: string
  readonly request: Layout<Ask>
  readonly response: Layout<Answer>
}

// biome-ignore lint/suspicious/noExplicitAny: a catalogue holds commands of every type
export type AnyCommand = Command<string, any, any>

export type RequestOf<C> = C extends Command<string, infer Ask, infer _> ? Ask : never
export type ResponseOf<C> = C extends Command<string, infer _, infer Answer> ? Answer : never

type None = Record<never, never>

/** Returns the function with which a family declares its commands. `none` is the family's layout without data. */
export const declareCommand =
  (none: Layout<None>) =>
  <const Name extends string, Ask = None, Answer = None>(
    name: Name,
    code: number,
    source: string,
    facts: Facts & Details<Ask, Answer>,
    own: Partial<Facts> & Details<Ask, Answer> = {},
  ) =>
    ({ name, code, source, request: none, response: none, ...facts, ...own }) as Command<Name, Ask, Answer>

export const question = { changes: 'nothing', prints: false, allowedIn: 'anywhere' } as const satisfies Facts
export const SHOWS_ONLY = { changes: 'paper', prints: false, allowedIn: 'anywhere' } as const satisfies Facts
export const setting = { changes: 'memory', prints: false, allowedIn: 'betweenReceipts' } as const satisfies Facts

type CommandFacts = Facts & { readonly runsAs: string }

const ownFactsOf = memoize((command: AnyCommand): CommandFacts => {
  const { name, changes, prints, allowedIn, needs, editions, runsAs = name } = command
  return { changes, prints, allowedIn, runsAs, ...(needs && { needs }), ...(editions && { editions }) }
})

/** Returns the facts of a command with these values; without `ask`, the facts without variants. */
export function factsOf(command: AnyCommand, ask?: unknown): CommandFacts {
  const own = ownFactsOf(command)
  const fitting = ask === undefined ? [] : (command.variants?.filter(({ when }) => when(ask)) ?? [])
  return fitting.length === 0 ? own : Object.assign({ ...own }, ...fitting.map(({ when: _, ...facts }) => facts))
}

/** Returns every name under which a command may run. The command's own name is missing if a common name replaces it. */
export function namesOf({ name, runsAs = name, variants = [] }: AnyCommand): readonly string[] {
  const names = [runsAs, ...variants.flatMap((one) => one.runsAs ?? [])]
  return [...new Set(names)].filter((one) => one !== name || runsAs === name)
}

export interface Catalogue<Command extends AnyCommand = AnyCommand> {
  readonly all: readonly Command[]
  readonly byName: { readonly [C in Command as C['name']]: C }
  find(code: number, data: ByteText): Command | undefined
}

/**
 * Creates the catalogue of an edition. Throws if a name occurs twice, or if several commands without `claims` have the
 * same code.
 */
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
