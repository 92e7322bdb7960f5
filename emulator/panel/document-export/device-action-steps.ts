import type { CallName } from '../contract.ts'
import { yamlOnOneLine } from './yaml.ts'

type Members = Readonly<Record<string, unknown>>
type Step = (members: Members, body: unknown) => string | undefined

/**
 * The form of a call in a scenario: a step; `documents` if the exported documents or requests cover the call; `session`
 * if the call begins a new session; `none` if no step exists for it.
 */
type ScenarioPart = Step | 'documents' | 'session' | 'none'

/** The calls that change something. A missing call is a compile-time error. */
const STEPS = {
  'POST /emulator/paper': ({ state }) => `- paper: ${state}`,
  'POST /emulator/cover': ({ open }) => `- cover: ${open === true ? 'open' : 'closed'}`,
  'POST /emulator/power': ({ on }) => `- power: ${on === true ? '"on"' : '"off"'}`,
  'POST /emulator/cable': ({ connected }) => `- cable: ${connected === true ? 'in' : 'out'}`,
  'POST /emulator/display': ({ attached }) => `- display: ${attached === true ? 'in' : 'out'}`,
  'POST /emulator/room': () => '# omitted, because no step exists for it: the remaining capacity',
  'POST /emulator/mechanism': () => '# omitted, because no step exists for it: the time that printing takes',
  'POST /emulator/clock': (members) =>
    'lost' in members
      ? undefined
      : `- clock: ${yamlOnOneLine('advance' in members ? { advance: `${Number(members['advance']) / 1000}s` } : members)}`,
  'POST /emulator/articles': (_, body) => `- articles: ${yamlOnOneLine(body)}`,
  'POST /emulator/fiscalised': 'none',
  'POST /emulator/reset': 'none',
  'PUT /emulator/snapshot': 'none',
  'POST /emulator/sample': 'documents',
  'POST /emulator/receipts': 'documents',
  'POST /emulator/receipt': 'documents',
  'POST /emulator/documents/{id}/again': 'documents',
  'POST /emulator/requests/{id}/again': 'documents',
  'POST /emulator/faults': (_, body) => `- fault: ${yamlOnOneLine(body)}`,
  'DELETE /emulator/faults': () => '- clearFaults: true',
  'DELETE /emulator/faults/{id}': 'none',
  'POST /emulator/session': 'session',
} as const satisfies Readonly<Record<Exclude<CallName, `GET ${string}`>, ScenarioPart>>

const scenarioPartOf = (name: CallName): ScenarioPart | undefined =>
  (STEPS as Partial<Record<CallName, ScenarioPart>>)[name]

/** Returns whether the call changes nothing, or is covered by documents, requests or a new session. */
export const needsNoStep = (name: CallName): boolean => {
  const part = scenarioPartOf(name)
  return part === undefined || part === 'documents' || part === 'session'
}

/** Returns whether the call replaces the device, so that earlier actions no longer matter for its state. */
export const replacesDevice = (name: CallName): boolean =>
  name === 'POST /emulator/reset' || name === 'PUT /emulator/snapshot'

/** Returns an executed call as a step of a scenario. Returns `undefined` if no step exists for it. */
export function deviceActionStep(name: CallName, body: unknown): string | undefined {
  const part = scenarioPartOf(name)
  return typeof part === 'function' ? part((body ?? {}) as Members, body) : undefined
}
