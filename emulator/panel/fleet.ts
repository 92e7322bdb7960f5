import { WrongCall } from './call-input.ts'
import type {
  Answer,
  CallName,
  FleetCallName,
  FleetDocument,
  FleetDocumentHead,
  FleetEventData,
  FleetEventName,
  FleetRow,
  FleetRule,
  HandlerInput,
  RuleView,
} from './contract.ts'
import type { Controls } from './controls.ts'

export interface FleetView {
  readonly names: readonly string[]
  /**
   * Returns `undefined` if there is no such printer. The controls of a printer that did not start refuse every call
   * with the reason.
   */
  controls(name: string): Controls | undefined
  isRunning(name: string): boolean
  /** Resolves to the rows of these printers. Absent: of all printers. */
  rows(names?: readonly string[]): Promise<readonly FleetRow[]>
  documents(since: number, limit: number): Promise<readonly FleetDocument[]>
  documentHeads(since: number, limit: number): Promise<readonly FleetDocumentHead[]>
  /** The figures count from the start of the process. */
  figures(): Promise<readonly PrinterFigures[]>
  listen(listener: (notice: FleetNotice) => void): () => void
}

export type FleetNotice = {
  readonly [Name in FleetEventName]: readonly [Name, FleetEventData<Name>]
}[FleetEventName]

export interface PrinterFigures {
  readonly name: string
  readonly family: string
  readonly commands: number
  readonly refusals: number
  /** Number of fiscal receipts and invoices. */
  readonly receipts: number
  readonly faults: number
  /** Time spent on commands, in ms. */
  readonly busyMs: number
}

type FleetHandlers = {
  readonly [Name in FleetCallName]: (input: HandlerInput<Name>) => Promise<Answer<Name>>
}

/** Maximum number of documents in an answer. Clients request the next ones with `since`. */
const DOCUMENTS_AT_ONCE = 10_000

export function fleetHandlers(fleet: FleetView): FleetHandlers {
  return {
    'GET /emulator/fleet': () => fleet.rows(),
    async 'POST /emulator/fleet/controls'({ body: { names, paper, cover, power, cable } }) {
      const touched = named(fleet, names)
      const controlCalls: readonly (readonly [CallName, object])[] = [
        ...(paper === undefined ? [] : [['POST /emulator/paper', { state: paper }] as const]),
        ...(cover === undefined ? [] : [['POST /emulator/cover', { open: cover }] as const]),
        ...(power === undefined ? [] : [['POST /emulator/power', { on: power }] as const]),
        ...(cable === undefined ? [] : [['POST /emulator/cable', { connected: cable }] as const]),
      ]
      await Promise.all(touched.flatMap((name) => controlCalls.map(([call, body]) => ask(fleet, name, call, body))))
      return fleet.rows(touched)
    },
    'GET /emulator/fleet/documents': ({ query: { since = 0, limit = DOCUMENTS_AT_ONCE, content } }) => {
      const most = Math.min(limit, DOCUMENTS_AT_ONCE)
      return content === 'none' ? fleet.documentHeads(since, most) : fleet.documents(since, most)
    },
    'GET /emulator/fleet/faults': () => rulesOf(fleet, named(fleet, ['*'])),
    async 'POST /emulator/fleet/faults'({ body }) {
      const orders = (Array.isArray(body) ? body : [body]).flatMap(({ names, ...rule }) =>
        named(fleet, names).map((name) => ({ name, rule })),
      )
      const added = await Promise.allSettled(
        orders.map(async ({ name, rule }) =>
          fleetRule(name, (await ask(fleet, name, 'POST /emulator/faults', rule)) as RuleView),
        ),
      )
      const rules = added.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
      const index = added.findIndex(({ status }) => status === 'rejected')
      const failed = added[index]
      if (failed?.status !== 'rejected') return rules
      // If one printer refuses the rule, the rule is removed from the others.
      await Promise.all(
        rules.map(({ name, id }) => ask(fleet, name, 'DELETE /emulator/faults/{id}', undefined, { id })),
      )
      throw new WrongCall(`${orders[index]?.name}: ${failed.reason.message}`)
    },
    async 'DELETE /emulator/fleet/faults'({ query: { names } }) {
      const cleared = named(fleet, names?.split(',') ?? ['*'])
      await Promise.all(cleared.map((name) => ask(fleet, name, 'DELETE /emulator/faults')))
      return rulesOf(fleet, named(fleet, ['*']))
    },
  }
}

const fleetRule = (name: string, rule: RuleView): FleetRule => ({ name, ...rule })

async function rulesOf(fleet: FleetView, names: readonly string[]): Promise<readonly FleetRule[]> {
  const lists = await Promise.all(
    names.map(async (name) => {
      const rules = (await ask(fleet, name, 'GET /emulator/faults')) as readonly RuleView[]
      return rules.map((rule) => fleetRule(name, rule))
    }),
  )
  return lists.flat()
}

async function ask(
  fleet: FleetView,
  name: string,
  call: CallName,
  body?: object,
  params: object = {},
): Promise<unknown> {
  const members = Object.entries(params).map(([key, value]) => [key, String(value)])
  return fleet.controls(name)?.answer(call, {
    path: call,
    params: Object.fromEntries(members),
    query: {},
    text: body === undefined ? '' : JSON.stringify(body),
  })
}

/**
 * Returns the printers that match the patterns, without duplicates. Throws WrongCall if a pattern other than `*`
 * matches none.
 */
function named(fleet: FleetView, patterns: readonly string[]): readonly string[] {
  const names = patterns.flatMap((pattern) => {
    const names = fleet.names.filter((name) => fits(name, pattern))
    if (names.length === 0 && pattern !== '*') throw new WrongCall(`there is no printer ${pattern}`, 404)
    // A pattern selects running printers only. A complete name also selects a printer that did not start, which refuses
    // with its reason.
    return pattern.includes('*') ? names.filter((name) => fleet.isRunning(name)) : names
  })
  return [...new Set(names)]
}

/** `*` in the pattern matches any text, including none. */
export function fits(name: string, pattern: string): boolean {
  const parts = pattern.split('*')
  const first = parts[0] ?? ''
  if (parts.length === 1) return name === pattern
  const last = parts.at(-1) ?? ''
  if (!name.startsWith(first)) return false
  let at = first.length
  for (const part of parts.slice(1, -1)) {
    const place = name.indexOf(part, at)
    if (place < 0) return false
    at = place + part.length
  }
  return name.length - last.length >= at && name.endsWith(last)
}
