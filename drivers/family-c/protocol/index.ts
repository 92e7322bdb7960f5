/** The catalogue of family C: every framed command of sheet 4, in the layouts of a dialect. */
import type { ByteText } from '../../wire/charset.ts'
import type { AnyCommand, RequestOf, ResponseOf } from '../../wire/command.ts'
import { actionCommands } from './commands/actions.ts'
import { identityCommands } from './commands/identity.ts'
import { paymentCommands } from './commands/payment.ts'
import { programmingCommands } from './commands/programming.ts'
import { opensReversal, receiptCommands } from './commands/receipt.ts'
import { registerCommands } from './commands/registers.ts'
import { reportCommands } from './commands/reports.ts'
import { salesCommands } from './commands/sales.ts'
import { DIALECTS, type Dialect, type DialectName } from './dialect.ts'

const declare = (d: Dialect) =>
  [
    ...identityCommands(d),
    ...actionCommands(d),
    ...receiptCommands(d),
    ...salesCommands(d),
    ...paymentCommands(d),
    ...reportCommands(d),
    ...programmingCommands(d),
    ...registerCommands(d),
  ] as const

type Declared = ReturnType<typeof declare>[number]
export type CommandName = Declared['name']
export type Commands = { readonly [N in CommandName]: Extract<Declared, { readonly name: N }> }
export type AskOf<N extends CommandName> = RequestOf<Commands[N]>
export type AnswerOf<N extends CommandName> = ResponseOf<Commands[N]>

export interface Catalogue {
  readonly dialect: Dialect
  readonly byName: Commands
  readonly all: readonly AnyCommand[]
  /** Which command a frame holds: several share a code and differ by their data. undefined: 30/31. */
  find(code: number, data: ByteText): (AnyCommand & { readonly name: CommandName }) | undefined
}

/** Codes that hold several commands: which of them these data belong to. */
const SHARED: Readonly<Record<number, (data: ByteText) => CommandName>> = {
  48: (data) => (opensReversal(data) ? 'openReversal' : 'openFiscal'),
  55: () => 'fiscalText',
  114(data) {
    if (data.startsWith('P')) return 'receiptPayments'
    if (/^[Bb]/.test(data)) return 'receiptCode'
    return /^[eE]/.test(data) ? 'electronicReceipt' : 'transactionStatus'
  },
  120: (data) => (/;8;?$/.test(data) ? 'archivedZ' : 'memoryReport'),
  124(data) {
    if (/^[jJ]/.test(data)) return 'journalRead'
    return data === 'E' ? 'paperJournal' : data.startsWith('X') ? 'reportX' : 'reportZ'
  },
}

function build(dialect: Dialect): Catalogue {
  const all: readonly (AnyCommand & { readonly name: CommandName })[] = declare(dialect)
  const byName = new Map<string, AnyCommand>()
  const byCode = new Map<number, AnyCommand & { readonly name: CommandName }>()
  for (const one of all) {
    if (byName.has(one.name)) throw new Error(`command ${one.name} is declared twice`)
    if (byCode.has(one.code) && SHARED[one.code] === undefined)
      throw new Error(`command code ${one.code} is declared twice`)
    byName.set(one.name, one)
    byCode.set(one.code, one)
  }
  const names = Object.fromEntries(byName) as unknown as Commands
  return {
    dialect,
    byName: names,
    all,
    find: (code, data) => {
      const shared = SHARED[code]
      return shared === undefined ? byCode.get(code) : names[shared(data)]
    },
  }
}

const built = new Map<DialectName, Catalogue>()

/** The commands in the layouts of a dialect. */
export function catalogueOf(name: DialectName): Catalogue {
  let catalogue = built.get(name)
  if (catalogue === undefined) {
    catalogue = build(DIALECTS[name])
    built.set(name, catalogue)
  }
  return catalogue
}
