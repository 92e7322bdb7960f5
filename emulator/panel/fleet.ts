import type {
  Answer,
  CallName,
  FleetCallName,
  FleetEventData,
  FleetEventName,
  FleetRow,
  FloorDocument,
  FloorDocumentHead,
  FloorRule,
  HandlerInput,
  RuleView,
} from './contract.ts'
import type { Controls } from './controls.ts'
import { WrongCall } from './forms.ts'

/** Many printers behind one control interface: what the panel needs of them, and the calls that concern several. */
export interface FleetView {
  /** Of all printers, in the order in which they were named. */
  readonly names: readonly string[]
  /** Undefined: there is no such printer. Those of one that did not start refuse every call and say why. */
  controls(name: string): Controls | undefined
  isRunning(name: string): boolean
  /** Of all printers without names. */
  rows(names?: readonly string[]): Promise<readonly FleetRow[]>
  /** Those behind `since`, at most `limit` of them, oldest first. */
  documents(since: number, limit: number): Promise<readonly FloorDocument[]>
  documentHeads(since: number, limit: number): Promise<readonly FloorDocumentHead[]>
  /** Since the start. */
  figures(): Promise<readonly PrinterFigures[]>
  listen(hear: (told: FleetNotice) => void): () => void
}

export type FleetNotice = {
  readonly [Name in FleetEventName]: readonly [Name, FleetEventData<Name>]
}[FleetEventName]

export interface PrinterFigures {
  readonly name: string
  readonly family: string
  readonly commands: number
  readonly refusals: number
  /** Fiscal receipts and invoices. */
  readonly receipts: number
  /** Faults that struck. */
  readonly faults: number
  /** Time in which it worked on commands. */
  readonly busyMs: number
}

type FleetHandlers = {
  readonly [Name in FleetCallName]: (input: HandlerInput<Name>) => Promise<Answer<Name>>
}

/** One answer has no more documents than this; who wants the rest asks again, behind the last of them. */
const DOCUMENTS_AT_ONCE = 10_000

export function floorHandlers(floor: FleetView): FleetHandlers {
  return {
    'GET /emulator/fleet': () => floor.rows(),
    async 'POST /emulator/fleet/controls'({ body: { names, paper, cover, power, cable } }) {
      const touched = named(floor, names)
      const hands: readonly (readonly [CallName, object])[] = [
        ...(paper === undefined ? [] : [['POST /emulator/paper', { state: paper }] as const]),
        ...(cover === undefined ? [] : [['POST /emulator/cover', { open: cover }] as const]),
        ...(power === undefined ? [] : [['POST /emulator/power', { on: power }] as const]),
        ...(cable === undefined ? [] : [['POST /emulator/cable', { connected: cable }] as const]),
      ]
      await Promise.all(touched.flatMap((name) => hands.map(([call, body]) => ask(floor, name, call, body))))
      return floor.rows(touched)
    },
    'GET /emulator/fleet/documents': ({ query: { since = 0, limit = DOCUMENTS_AT_ONCE, content } }) => {
      const most = Math.min(limit, DOCUMENTS_AT_ONCE)
      return content === 'none' ? floor.documentHeads(since, most) : floor.documents(since, most)
    },
    'GET /emulator/fleet/faults': () => rulesOf(floor, named(floor, ['*'])),
    async 'POST /emulator/fleet/faults'({ body }) {
      const orders = (Array.isArray(body) ? body : [body]).flatMap(({ names, ...rule }) =>
        named(floor, names).map((name) => ({ name, rule })),
      )
      const added = await Promise.allSettled(
        orders.map(async ({ name, rule }) =>
          ofPrinter(name, (await ask(floor, name, 'POST /emulator/faults', rule)) as RuleView),
        ),
      )
      const rules = added.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
      const index = added.findIndex(({ status }) => status === 'rejected')
      const failed = added[index]
      if (failed?.status !== 'rejected') return rules
      // At one of them it cannot be: then it is at none.
      await Promise.all(
        rules.map(({ name, id }) => ask(floor, name, 'DELETE /emulator/faults/{id}', undefined, { id })),
      )
      throw new WrongCall(`${orders[index]?.name}: ${failed.reason.message}`)
    },
    async 'DELETE /emulator/fleet/faults'({ query: { names } }) {
      const cleared = named(floor, names?.split(',') ?? ['*'])
      await Promise.all(cleared.map((name) => ask(floor, name, 'DELETE /emulator/faults')))
      return rulesOf(floor, named(floor, ['*']))
    },
  }
}

const ofPrinter = (name: string, rule: RuleView): FloorRule => ({ name, ...rule })

async function rulesOf(floor: FleetView, names: readonly string[]): Promise<readonly FloorRule[]> {
  const lists = await Promise.all(
    names.map(async (name) => {
      const rules = (await ask(floor, name, 'GET /emulator/faults')) as readonly RuleView[]
      return rules.map((rule) => ofPrinter(name, rule))
    }),
  )
  return lists.flat()
}

/** A call of one printer, put together here. */
async function ask(
  floor: FleetView,
  name: string,
  call: CallName,
  body?: object,
  params: object = {},
): Promise<unknown> {
  const members = Object.entries(params).map(([key, value]) => [key, String(value)])
  return floor.controls(name)?.answer(call, {
    path: call,
    params: Object.fromEntries(members),
    query: {},
    text: body === undefined ? '' : JSON.stringify(body),
  })
}

/** The printers with these names, each once. Throws WrongCall for a name that no printer has. */
function named(floor: FleetView, patterns: readonly string[]): readonly string[] {
  const names = patterns.flatMap((pattern) => {
    const names = floor.names.filter((name) => fits(name, pattern))
    if (names.length === 0 && pattern !== '*') throw new WrongCall(`there is no printer ${pattern}`, 404)
    // A pattern means those that run; who names one that does not hears why.
    return pattern.includes('*') ? names.filter((name) => floor.isRunning(name)) : names
  })
  return [...new Set(names)]
}

/** `*` stands for any text, also for none. */
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
