/**
 * Calls for many printers in one process (decisions 6.1). The calls in contract.ts for a single printer are below
 * `/emulator/fleet/NAME`.
 */
import { z } from 'zod'
import type { Call, Method } from './call-declaration.ts'
import * as forms from './call-input.ts'
import * as views from './view-schemas.ts'

/** The states of the overview, most severe first. */
const FLEET_STATES = [
  'failed', 'starting', 'off', 'unplugged', 'coverOpen', 'paperOut', 'paperLow', 'receipt', 'idle',
] as const // biome-ignore format: a list

const fleetRow = z.object({
  name: z.string(),
  family: z.string(),
  profile: z.string(),
  serialNumber: z.string(),
  line: z
    .string()
    .nullable()
    .meta({
      description: 'Port or link to which programs connect.',
      examples: ['tcp://127.0.0.1:5000', '/home/me/till-1'],
    }),
  state: z.enum(FLEET_STATES).meta({
    description: 'failed: the printer did not start. receipt: a receipt is open. idle: the printer is ready.',
  }),
  why: z.string().exactOptional().meta({ description: 'Reason why the printer did not start.' }),
  lastDocument: views.documentHead.nullable(),
  total: views.amount.meta({ description: 'Turnover of the day.' }),
  lastLine: z.string().meta({ description: 'The last printed line.' }),
  strip: z.string().meta({
    description: 'The last lines on paper, oldest first, a digit for each: 0 blank, 9 full.',
    examples: ['0490'],
  }),
})

/** `name` is the printer, `own` the document's id there. The `id` of a fleet document is its position in the fleet. */
const printerColumns = { name: z.string(), own: z.int() }
const fleetDocument = views.document.extend(printerColumns)
const fleetDocumentHead = views.documentHead.extend(printerColumns)
const fleetRuleSchema = views.rule.extend({ name: z.string() })

const NO_PRINTER = { 404: 'There is no such printer.' }
const number = forms.number.optional()
const word = z.string().optional().catch(undefined)

export const FLEET_CALLS = {
  'GET /emulator/fleet': { summary: 'All printers', answer: views.list(fleetRow) },
  'POST /emulator/fleet/controls': {
    summary: 'Manual actions on many printers at once; answers with the printers that were changed',
    body: forms.controls,
    answer: views.list(fleetRow),
    errors: NO_PRINTER,
  },
  'GET /emulator/fleet/faults': { summary: 'The fault rules of all printers', answer: views.list(fleetRuleSchema) },
  'POST /emulator/fleet/faults': {
    summary: 'Adds a fault rule, or several, to many printers: to all that are named, or to none',
    body: forms.fleetFault,
    plain: true,
    answer: views.list(fleetRuleSchema),
    errors: { ...NO_PRINTER, 400: 'One of the printers rejects the rule; the error lists each mistake.' },
  },
  'DELETE /emulator/fleet/faults': {
    summary: 'Clears the fault rules of all printers, or of those with these names, separated by commas',
    query: z.object({ names: word }),
    answer: views.list(fleetRuleSchema),
    errors: NO_PRINTER,
  },
  'GET /emulator/fleet/documents': {
    summary: 'Documents of all printers after an id, at most `limit`; without their text',
    query: z.object({ since: number, limit: number, content: word }),
    answer: z.union([views.list(fleetDocument), views.list(fleetDocumentHead)]),
  },
} as const satisfies Readonly<Record<`${Uppercase<Method>} /emulator/fleet${string}`, Call>>

const FLEET_EVENTS = {
  /** Changed printers with their current state, in at most ten bundles a second. */
  rows: views.list(fleetRow),
  /** A notice for the user, for example about a thread that died. */
  told: z.object({ text: z.string() }),
} as const satisfies Readonly<Record<string, z.ZodType>>

export type FleetState = (typeof FLEET_STATES)[number]
export type FleetRow = z.output<typeof fleetRow>
export type FleetDocument = z.output<typeof fleetDocument>
export type FleetDocumentHead = z.output<typeof fleetDocumentHead>
export type FleetRule = z.output<typeof fleetRuleSchema>
export type FleetEventName = keyof typeof FLEET_EVENTS
export type FleetEventData<Name extends FleetEventName> = z.output<(typeof FLEET_EVENTS)[Name]>
