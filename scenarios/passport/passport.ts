/** Records a passport: queries a device, replays the conversation on an emulated device and compares the answers. */
import type { PortOpener } from '../../drivers/link/port.ts'
import type { Clock } from '../../drivers/model/clock.ts'
import type { Family } from '../../drivers/model/families.ts'
import { omitUndefined } from '../../drivers/model/omit-undefined.ts'
import type { DiscoveredDevice, OpenReceiptStatus, Questionnaire } from '../../drivers/wire/questionnaire.ts'
import { createEmulator, type Emulator } from '../../emulator/emulator.ts'
import type { EmulatedFamilies } from '../../emulator/families.ts'
import { PlainStore } from '../../emulator/fiscal/plain-store.ts'
import { dataChange, valuesOf } from '../../emulator/passport/answer-change.ts'
import type { Difference, Override, Passport } from '../../emulator/passport/passport.ts'
import { OPERATOR, questionnaireFor } from '../../emulator/passport/passport-device.ts'
import { familyOf } from '../../emulator/profiles.ts'
import type { EmulatedFamily } from '../../emulator/wire.ts'
import { isEmpty, type Observation } from './compare-answers.ts'
import { type Consent, portBehindFilter } from './consent-filter.ts'
import type { Conversation } from './conversation.ts'
import { discoverFrom } from './discovery.ts'
import { Line } from './line.ts'
import { overridesOf } from './override-rules.ts'
import { converse } from './probing-session.ts'
import { anonymous, answerSecrets, maskedBytes, maskedText, requestSecrets } from './redact.ts'
import { readEcho, replayer } from './reference-device.ts'
import { trySwitches } from './switch-search.ts'
import { timesOf } from './timing.ts'

export interface Task {
  readonly family: Family
  readonly families?: EmulatedFamilies
  readonly profile?: string
  readonly baud?: number
  readonly opener: PortOpener
  readonly clock: Clock
  readonly consent: Consent
  /** The default is the factory password. */
  readonly password?: string
  readonly rig: string
  /** Omits the numbers that identify the device and its owner. */
  readonly anonymous?: boolean
  readonly seed?: number
  readonly signal?: AbortSignal
  readonly mayGoOn?: (status: OpenReceiptStatus) => boolean
  readonly progress?: (done: number, of: number) => void
}

export interface Outcome {
  readonly passport: Passport
  readonly conversation: Conversation
  readonly observations: readonly Observation[]
  readonly varying: readonly string[]
  readonly discovered: DiscoveredDevice
  readonly questionnaire: Questionnaire
}

export async function recordPassport(task: Task): Promise<Outcome> {
  const { clock, consent } = task
  const family = familyOf({ family: task.family, ...(task.families && { families: task.families }) })
  const questionnaireOf = (profile: string) => questionnaireFor(family, profile, task.password)
  const profile = task.profile ?? (await profileOf(task, family))
  const q = questionnaireOf(profile)
  const otherEditions = family.profiles.filter((one) => one !== profile).map(questionnaireOf)
  const line = new Line(clock, q, task.signal)
  await line.open(task.opener, (port) => portBehindFilter(port, q, otherEditions, consent))
  let conversation: Conversation
  try {
    conversation = await converse({
      ...{ line, q, others: otherEditions, clock, consent },
      ...omitUndefined({ signal: task.signal, seed: task.seed, mayGoOn: task.mayGoOn, progress: task.progress }),
    })
  } finally {
    await line.close()
  }
  return judge({ ...task, profile }, family, q, conversation)
}

function judge(
  task: Task & { readonly profile: string },
  family: EmulatedFamily,
  q: Questionnaire,
  conversation: Conversation,
): Outcome {
  const discovered = discoverFrom(q, conversation)
  const setup = {
    family: task.family,
    ...(task.families && { families: task.families }),
    profile: task.profile,
    discovered,
    ...(task.password !== undefined && hasOpened(q, conversation) && { password: task.password }),
  }
  const replay = replayer(q, conversation)
  const tried = trySwitches(setup, family.switches ?? {}, q, conversation, replay)
  const password = task.password ?? family.profile(task.profile).factoryPassword(OPERATOR)
  const overrides = overridesOf(tried.observations).map((one) => withoutSecrets(q, one, password))
  const { printed } = replay({ ...setup, switches: tried.switches })
  const passport: Passport = {
    passport: 1,
    complete: conversation.isComplete,
    rig: task.rig,
    // If another program has left a receipt open, the conversation contains only queries.
    depth: conversation.initialReceipt.receipt === 'none' ? task.consent.depth : 'read',
    device: { family: task.family, profile: task.profile, ...discovered.identity },
    line: { ...(task.baud !== undefined && { baud: task.baud }), ...timesOf(q, conversation, printed) },
    switches: tried.switches,
    notSeen: tried.notSeen,
    facts: discovered.facts,
    overrides,
    differences: differencesOf(q, password, tried.plain, tried.observations, tried.explained),
    same: tried.plain.filter(({ action }) => !action).length,
  }
  const words = task.anonymous ? identifyingWords(discovered, conversation, q) : []
  const written = task.anonymous ? anonymous(passport, words) : passport
  const varying = tried.observations.flatMap(({ probe, varies }) => (varies ? [probe.id] : []))
  return { passport: written, conversation, observations: tried.observations, varying, discovered, questionnaire: q }
}

/** Opening a receipt proves the password. */
const hasOpened = (q: Questionnaire, { exchanges }: Conversation): boolean =>
  exchanges.some(({ requests, responses }) =>
    requests.some((frame, at) => {
      const request = q.readRequest(frame)
      const name = request && q.catalogue.find(request.code, request.data)?.name
      const response = request && q.readAnswer(responses[at]?.frames ?? [], request)
      return (
        (name === 'openFiscal' || name === 'openNonFiscal') && response !== undefined && response.refusal === undefined
      )
    }),
  )

function identifyingWords(
  { identity }: DiscoveredDevice,
  { exchanges }: Conversation,
  q: Questionnaire,
): readonly string[] {
  const { serialNumber = '', fiscalMemoryNumber = '' } = identity
  const numbers = exchanges.flatMap(({ requests, responses }) =>
    requests.flatMap((frame, at) => {
      const request = q.readRequest(frame)
      const response = request && q.readAnswer(responses[at]?.frames ?? [], request)
      const values = request && response ? valuesOf(q, request, response) : undefined
      return [values?.['taxNumber'], values?.['taxId']].flatMap((value) => (typeof value === 'string' ? value : []))
    }),
  )
  const all = [serialNumber, fiscalMemoryNumber, ...numbers].map((word) => word.trim())
  return [...new Set(all.flatMap((word) => [word, word.replace(/^[A-Z]+/, '')]))]
}

function withoutSecrets(q: Questionnaire, override: Override, password: string): Override {
  const { command: name, request, answer } = override
  const command = q.catalogue.byName[name]
  if (!command || command.name !== name) return override
  const question = { number: 0, code: command.code, data: request ?? '' }
  const data = answer?.data
  const fields = answer?.fields && Object.entries(answer.fields).filter(([field]) => field !== 'password')
  return {
    ...override,
    ...(request !== undefined && { request: maskedText(request, requestSecrets(q, question, password)) }),
    ...(answer && {
      answer: {
        ...answer,
        ...(fields && { fields: Object.fromEntries(fields) }),
        ...(data !== undefined && { data: maskedText(data, answerSecrets(q, question, data)) }),
      },
    }),
  }
}

function differencesOf(
  q: Questionnaire,
  password: string,
  plain: readonly Observation[],
  best: readonly Observation[],
  explained: ReadonlyMap<string, string>,
): readonly Difference[] {
  return plain.flatMap((one, at) => {
    const bestObservation = best[at]
    const difference = one.action ? one : bestObservation?.action ? bestObservation : undefined
    if (!difference) return []
    const { probe, frame, request, device, emulator, meaning = '' } = difference
    const places = request ? requestSecrets(q, request, password) : []
    const masked = (bytes: Uint8Array, frames: readonly Uint8Array[]): string => {
      const data = (request && q.readAnswer(frames, request)?.data) ?? ''
      return maskedBytes(bytes, data, request ? answerSecrets(q, request, data) : [])
    }
    return [
      {
        probe: probe.id,
        request: maskedBytes(frame, request?.data ?? '', places),
        device: masked(device.bytes, device.frames),
        emulator: masked(emulator.bytes, emulator.frames),
        meaning,
        explainedBy: bestObservation?.action ? null : (explained.get(probe.id) ?? null),
      },
    ]
  })
}

const DISTINGUISHING_COMMANDS = [
  ...['transactionStatus', 'taxRates', 'readTaxRates', 'lastDocument', 'readPayments', 'constants', 'deviceInfo'],
]

/**
 * Returns the profile that fits most answers of the device: its layouts decode and encode them, and its emulated device
 * answers the same. The first profile wins a tie.
 */
async function profileOf(task: Task, family: EmulatedFamily): Promise<string> {
  const { opener, clock, password } = task
  const choice = { family: task.family, ...(task.families && { families: task.families }) }
  const all = family.profiles.map((profile) => ({
    profile,
    q: questionnaireFor(family, profile, password),
    device: createEmulator({ ...choice, profile, clock, store: new PlainStore() }),
  }))
  const [usual] = all
  if (!usual || all.length === 1) return usual?.profile ?? ''
  const otherEditions = all.slice(1).map(({ q }) => q)
  const line = new Line(clock, usual.q, task.signal)
  await line.open(opener, (port) => portBehindFilter(port, usual.q, otherEditions, { depth: 'read', z: false }))
  try {
    const fits = new Map(all.map(({ profile }) => [profile, 0]))
    let number = usual.q.numbers.first
    for (const name of DISTINGUISHING_COMMANDS) {
      const command = usual.q.catalogue.byName[name]
      if (!command) continue
      const frame = usual.q.writeRequest({ number: ++number, code: command.code, data: '' })
      const { frames } = await line.ask(frame, { firstMs: 1_500, gapMs: 1_500, totalMs: 5_000 })
      for (const { profile, q, device } of all) {
        const likeness = isReadBy(q, frame, frames) ? 1 + (answersTheSame(q, device, frame, frames) ? 1 : 0) : 0
        fits.set(profile, (fits.get(profile) ?? 0) + likeness)
      }
    }
    const most = Math.max(...fits.values())
    return all.find(({ profile }) => fits.get(profile) === most)?.profile ?? usual.profile
  } finally {
    await line.close()
    for (const { device } of all) await device.close()
  }
}

function answersTheSame(q: Questionnaire, device: Emulator, frame: Uint8Array, frames: readonly Uint8Array[]): boolean {
  const request = q.readRequest(frame)
  const [response, own] = [frames, readEcho(device.wire, q, frame).frames].map(
    (one) => request && q.readAnswer(one, request),
  )
  return (
    request !== undefined &&
    response !== undefined &&
    own !== undefined &&
    isEmpty(dataChange(q, request, response, own, new Set()))
  )
}

function isReadBy(q: Questionnaire, frame: Uint8Array, frames: readonly Uint8Array[]): boolean {
  const request = q.readRequest(frame)
  const command = request && q.catalogue.find(request.code, request.data)
  const response = request && q.readAnswer(frames, request)
  if (!command || !response || response.refusal !== undefined) return false
  try {
    return command.response.write(command.response.read(response.data, q.page), q.page) === response.data
  } catch {
    return false
  }
}
