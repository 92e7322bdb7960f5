/**
 * Records the actions on a device as a scenario that repeats them: frames or requests of programs, manual actions,
 * clock and faults, in their order. The scenario contains the initial state, unless the device was new.
 */
import { formatMoney } from '../../drivers/model/money.ts'
import { hexOf } from '../../drivers/wire/charset.ts'
import type { Emulator, EmulatorEvent } from '../emulator.ts'
import type { Rule } from '../faults/rule.ts'
import type { DeviceSnapshot, PaperDocument } from '../fiscal/api.ts'
import { WrongCall } from './call-input.ts'
import type { CallName, RuleView, SessionView } from './contract.ts'
import { deviceActionStep, needsNoStep, replacesDevice } from './document-export/device-action-steps.ts'
import { documentSteps, NoServiceCall, type ServiceCalls } from './document-export/document-steps.ts'
import { earlierKeys, type KeyUse } from './document-export/earlier-keys.ts'
import { omittedRemark, omittedRequests } from './document-export/omitted-requests.ts'
import { pauseStep } from './document-export/pause-step.ts'
import { callStep, ownLines, passwordsOf, ratesOf } from './document-export/scenario.ts'
import { yamlOnOneLine } from './document-export/yaml.ts'

/** Requests of clients to a service, which a session records instead of frames. */
export interface Requests {
  listen(listener: (request: ClientRequest) => void): void
  config(): Readonly<Record<string, unknown>>
}

export interface ClientRequest extends KeyUse {
  /** Approximate size of the step that repeats the request, in characters. */
  readonly letters: number
  readonly tookMs: number
  /** True if the client has disconnected. The service may still execute the request. */
  readonly isGivenUp: boolean
  /** Reason why no step repeats the request; `undefined` if a step does. */
  readonly whyOmitted: string | undefined
  step(): Promise<string>
}

export interface Session {
  /** `null` if no session is recorded. */
  readonly view: SessionView | null
  begin(): SessionView
  /** Rejects with WrongCall if no complete session is recorded. */
  scenario(): Promise<string>
  noteCall(name: CallName, body: unknown): void
}

const STEPS_MAX = 5000
const LETTERS_MAX = 2 * 1024 * 1024
/** Minimum length in ms of a pause that is recorded although the device was idle. */
const PAUSE_MS = 60_000
const SHOWN_LINES_MAX = 200

interface SessionStart {
  /** Time on the emulator's clock, in ms. */
  readonly at: number
  /** Local time of the device. */
  readonly clock: string
  readonly snapshot: DeviceSnapshot | undefined
  readonly papers: number
  readonly power: boolean
  readonly cable: boolean
  readonly rules: readonly RuleView[]
}

export function createSession(emulator: Emulator, serviceCalls: ServiceCalls, requests?: Requests): Session {
  const { clock, device } = emulator
  const steps = createSteps(emulator)
  let beginning: SessionStart | undefined
  let unsubscribe: (() => void) | undefined

  const add = (step: string | ClientRequest) => {
    if (beginning) steps.add(step)
  }
  const onEvent = (event: EmulatorEvent) => {
    if (event.type === 'frame') {
      const { direction, bytes } = event.entry
      // A single byte is a ping, which changes nothing.
      if (requests || direction !== 'toDevice' || bytes.length === 1) return
      add(`  - wire: { send: "${hexOf(bytes)}" } # ${emulator.decode(event.entry).command}`)
    }
    const entered = stepsOfEntered(emulator, event, serviceCalls)
    if (entered !== undefined) add(entered)
  }
  requests?.listen(add)

  const viewFrom = ({ clock: since }: SessionStart): SessionView => ({ since, ...steps.view })
  const begin = (): SessionView => {
    unsubscribe?.()
    unsubscribe = emulator.subscribe(onEvent)
    const isNew = device.counters.lastDocument === 0
    beginning = {
      at: clock.wallTime(),
      clock: device.localTime(),
      snapshot: isNew ? undefined : device.snapshot(),
      papers: device.counters.papers,
      power: emulator.power,
      cable: emulator.cable,
      rules: emulator.faults.list(),
    }
    steps.clear(beginning.at)
    return viewFrom(beginning)
  }
  return {
    get view() {
      return beginning ? viewFrom(beginning) : null
    },
    begin,
    async scenario() {
      if (!beginning) throw new WrongCall('no session is recorded; POST /emulator/session starts one', 404)
      if (!steps.view.isWhole)
        throw new WrongCall(
          'the session has become too long to be stored; POST /emulator/session starts a new one',
          404,
        )
      return scenarioText(emulator, beginning, await steps.texts(), requests?.config())
    },
    noteCall(name, body) {
      if (!beginning || needsNoStep(name)) return
      // The device was replaced, so that earlier actions no longer matter.
      if (replacesDevice(name)) begin()
      else if (name === 'DELETE /emulator/faults/{id}') add(rulesStep(emulator.faults.list()))
      else {
        add(`  ${deviceActionStep(name, body) ?? `# omitted, because no step exists for it: ${name}`}`)
      }
    },
  }
}

interface Steps {
  readonly view: Omit<SessionView, 'since'>
  /** Ignored if the list is full. */
  add(step: string | ClientRequest): void
  /** `at`: the time on the emulator's clock at which the new list begins, in ms. */
  clear(at: number): void
  texts(): Promise<readonly string[]>
}

function createSteps({ clock, loop }: Emulator): Steps {
  let steps: (string | ClientRequest)[] = []
  let letters = 0
  let omitted = 0
  let remarks = 0
  let lastAt = 0
  let wasAtRest = true
  let remarkOnKey = earlierKeys()
  let remarkOnOmitted = omittedRequests()

  const isFull = () => steps.length >= STEPS_MAX || letters >= LETTERS_MAX
  const omit = (remark: string | undefined) => {
    omitted += 1
    if (remark === undefined) return
    remarks += 1
    steps.push(remark)
    letters += remark.length
  }
  const noteTime = ({ tookMs, isGivenUp }: Pick<ClientRequest, 'tookMs' | 'isGivenUp'>) => {
    const now = clock.wallTime()
    const pauseMs = now - tookMs - lastAt
    const pause = pauseStep(pauseMs, wasAtRest)
    lastAt = now
    wasAtRest = !isGivenUp && loop.atRest
    if (pauseMs >= PAUSE_MS) steps.push(`  - wait: ${Math.floor(pauseMs / 1000)}s`)
    else if (pause !== undefined) steps.push(`  ${pause}`)
  }
  return {
    get view() {
      return { steps: steps.length - remarks, omitted, isWhole: !isFull() }
    },
    add(step) {
      if (isFull()) return
      if (typeof step === 'string') {
        noteTime({ tookMs: 0, isGivenUp: false })
        steps.push(step)
        letters += step.length
        return
      }
      if (step.whyOmitted !== undefined) return omit(remarkOnOmitted(step.title, step.whyOmitted))
      const remark = remarkOnKey(step)
      if (remark !== undefined) return omit(remark)
      noteTime(step)
      steps.push(step)
      letters += step.letters
    },
    clear(at) {
      steps = []
      letters = omitted = remarks = 0
      remarkOnKey = earlierKeys()
      remarkOnOmitted = omittedRequests()
      lastAt = at
      wasAtRest = loop.atRest
    },
    texts: () => Promise.all(steps.map((step) => (typeof step === 'string' ? step : step.step()))),
  }
}

/** Returns the steps of a document that was entered at the device, not requested by a frame; otherwise `undefined`. */
export function stepsOfEntered(
  emulator: Emulator,
  event: EmulatorEvent,
  serviceCalls: ServiceCalls,
): string | undefined {
  const { device, loop } = emulator
  const document = event.type === 'document' && !loop.executing ? device.document(event.id) : undefined
  return document && callsFor(emulator, document, serviceCalls)
}

/**
 * Returns the calls that produce the document on the same device, or a remark if there are none. The calls need a
 * connected cable. A document that was entered at the device did not need the cable.
 */
function callsFor({ device, cable }: Emulator, document: PaperDocument, serviceCalls: ServiceCalls): string {
  try {
    const steps = serviceCalls.of(documentSteps(device, document).steps).flatMap(callStep)
    return (cable ? steps : ['  - cable: in', ...steps, '  - cable: out']).join('\n')
  } catch (problem) {
    if (problem instanceof NoServiceCall) return omittedRemark(`${document.kind} ${document.number}`, problem.message)
    throw problem
  }
}

/** Returns the steps that bring power, cable and fault rules of a new device to this state. */
export const stateSteps = ({ power, cable, rules }: Pick<SessionStart, 'power' | 'cable' | 'rules'>): string[] => [
  ...(power ? [] : ['  - power: "off"']),
  ...(cable ? [] : ['  - cable: out']),
  ...(rules.length === 0 ? [] : [rulesStep(rules)]),
]

/** Rules that are used up are omitted; the others have their remaining `times`. */
export function rulesStep(rules: readonly RuleView[]): string {
  const remainingRules = rules.flatMap(({ id: _id, hits, ...rule }): readonly Rule[] => {
    if (rule.times === undefined) return [rule as Rule]
    return rule.times > hits ? [{ ...(rule as Rule), times: rule.times - hits }] : []
  })
  return [
    '  - clearFaults: true',
    ...(remainingRules.length === 0 ? [] : [`  - fault: ${yamlOnOneLine(remainingRules)}`]),
  ].join('\n')
}

function scenarioText(
  emulator: Emulator,
  beginning: SessionStart,
  steps: readonly string[],
  config: Readonly<Record<string, unknown>> | undefined,
): string {
  const { device, family } = emulator
  const operators = Array.from({ length: device.profile.operators }, (_nothing, index) => index + 1)
  const own = config ?? { ...ratesOf(device), ...passwordsOf(device, operators) }
  const allSteps = [...stateSteps(beginning), ...steps]
  return [
    `name: ${JSON.stringify(`session of ${beginning.clock.replace('T', ' ')}`)}`,
    `families: [${family}]`,
    `profile: ${JSON.stringify(device.profile.profile)}`,
    'tags: [recorded]',
    'given:',
    `  clock: ${JSON.stringify(beginning.clock)}`,
    ...(Object.keys(own).length > 0 ? [`  config: ${yamlOnOneLine(own)}`] : []),
    ...(beginning.snapshot ? [`  snapshot: ${yamlOnOneLine(beginning.snapshot)}`] : []),
    'steps:',
    ...(allSteps.every(isRemark) ? ['  - wait: 1ms # no action was recorded'] : []),
    ...allSteps,
    ...checksOf(emulator, device.documents(beginning.papers)),
    '',
  ].join('\n')
}

const isRemark = (step: string): boolean => step.split('\n').every((line) => line.trimStart().startsWith('#'))

function checksOf({ device, power, cable }: Emulator, documents: readonly PaperDocument[]): readonly string[] {
  const kinds = [...Map.groupBy(documents, ({ kind }) => kind)].map(([kind, all]) => [kind, all.length] as const)
  const lines = [...new Set(documents.flatMap((one) => ownLines(device, one)))].slice(-SHOWN_LINES_MAX)
  const { paper, coverOpen: cover } = device.mechanism
  return [
    'check:',
    // Rules that were not triggered are not a failure, because a person has added them.
    '  faults: any',
    `  device: ${yamlOnOneLine({ power, paper, cover, cable })}`,
    `  day: { total: ${formatMoney(device.day.total)} }`,
    ...(kinds.length === 0 ? [] : [`  documents: ${yamlOnOneLine(Object.fromEntries(kinds))}`]),
    ...(lines.length === 0 ? [] : ['  paper:', '    has:', ...lines.map((line) => `      - ${yamlOnOneLine(line)}`)]),
  ]
}
