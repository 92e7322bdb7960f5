import type { Layout } from './row.ts'

/**
 * A command of a wire, declared once: the driver writes the request and reads the answer, the emulator reads the
 * request and writes the answer, all from this literal. What keeps a wrong constant from hiding in that symmetry are
 * published frames, the ledger, the oracle and the sabotage test (test/).
 */
export interface Command<Name extends string, Ask, Answer> {
  /** Same meaning, same name in every family (decisions 8); `on` of a fault rule. */
  readonly name: Name
  readonly code: number
  /** Section of the family's sheet. */
  readonly source: string
  readonly request: Layout<Ask>
  readonly response: Layout<Answer>
  /** It may have been carried out even though no answer came, so it must not simply be asked for again. */
  readonly fiscal?: boolean
  /** How long the device may take altogether; the family's ordinary limit where it is absent. */
  readonly limitMs?: number
}

// biome-ignore lint/suspicious/noExplicitAny: a catalogue holds commands of every type
export type AnyCommand = Command<string, any, any>

export type RequestOf<C> = C extends Command<string, infer Ask, infer _> ? Ask : never
export type ResponseOf<C> = C extends Command<string, infer _, infer Answer> ? Answer : never

/** Keeps the literal's own types: `command({ name: 'sale', code: 49, ... })`. */
export const command = <const Name extends string, Ask, Answer>(declared: Command<Name, Ask, Answer>) => declared

/** All commands of a family by name; a code or a name that stands twice is a mistake found at start. */
export function catalogue<const Commands extends readonly AnyCommand[]>(commands: Commands) {
  const byName = {} as { [C in Commands[number] as C['name']]: C }
  const byCode = new Map<number, Commands[number]>()
  for (const one of commands) {
    if (one.name in byName) throw new Error(`command ${one.name} is declared twice`)
    if (byCode.has(one.code)) throw new Error(`command code ${one.code} is declared twice`)
    Object.assign(byName, { [one.name]: one })
    byCode.set(one.code, one)
  }
  return { byName, byCode, all: commands }
}
