/**
 * The fault table: requests x faults x places x devices. Each row generates its cases. The criteria are the judge of
 * `check`, the promises in the service's responses, and the paper of the same request without a fault.
 */
import { FAMILIES } from '../../drivers/families.ts'
import type { Family } from '../../drivers/model/families.ts'
import { memoize } from '../../drivers/model/memoize.ts'
import type { Reply } from '../../scenarios/simulation/client.ts'
import { STEP_OPERATIONS } from '../../scenarios/simulation/every/operations.ts'
import { runCase } from '../../scenarios/simulation/run.ts'
import { describeStep, type Step } from '../../scenarios/simulation/steps.ts'
import { Violation } from '../../scenarios/simulation/violation.ts'
import { isOnSqlite } from '../../scenarios/simulation/world-options.ts'
import type { RotationOptions } from '../support/slice.ts'
import { BYTE_FAULTS, type FaultColumn, POWER_FAULTS, SECOND_FAULTS, SINGLE_FAULTS } from './fault-columns.ts'
import { BYTES_OPERATION, callOperations, type Operation, placesOf, undisturbed } from './fault-rows.ts'
import { type Device, type Played, type PlayedStep, play, type Setting } from './play.ts'
import { atOnce, comesBack, FAILING_DISKS, failingDisk } from './played-cases.ts'

export const DEVICES: readonly Device[] = [...FAMILIES, 'A ro']

/** Duration of a short power failure, in ms: shorter than a driver waits before it retransmits. */
export const BLINK_MS = 300

export interface Place {
  readonly device: Device
  readonly operation: Operation
  readonly fault: FaultColumn
  readonly place: number
}

export const describePoint = ({ device, operation, fault, place }: Place): string =>
  `${device}: ${operation.name}; ${fault.name}, at ${fault.at} ${place}`

/** Resolves to all places of all operations, each with one place after the last, at which no fault occurs. */
async function placesFor(
  device: Device,
  operations: readonly Operation[],
  troubles: readonly FaultColumn[],
): Promise<Place[]> {
  const all: Place[] = []
  for (const operation of operations) {
    const { replies } = await undisturbed(device, operation)
    if (replies[operation.before.length]?.status !== 200) continue
    for (const fault of troubles) {
      const last = await placesOf(device, operation, fault.at)
      for (let place = 0; place <= last; place++) all.push({ device, operation, fault, place })
    }
  }
  return all
}

const answersTo = ({ before, after }: Operation, { replies }: Pick<Played, 'replies'>): readonly Reply[] =>
  replies.slice(before.length, replies.length - after.length)

/** Responses after which something was printed, or may have been. */
const MORE =
  /^(Completed as receipt \d+|Outcome unknown):|executed (?:it|the command) more than once|executed a command twice/
/**
 * A response of family C after a text or a subtotal. The wire protocol does not report whether the device has printed
 * it, so the driver does not retransmit.
 */
const UNREPORTED = /after (fiscalText|subtotal)\b.* The receipt was cancelled\.$/
/**
 * A payment may be executed twice after a power cut while payments of the same amount are still missing. The sums of
 * the receipt show how much is paid, but not with which payments.
 */
const isAmbiguous = ({ operation, fault }: Place): boolean =>
  /^(payments of several modes|equal payments)$/.test(operation.name) && fault.name.startsWith('power fails')

function judge(one: Place, expected: Played, played: Played): void {
  const { operation, fault: trouble } = one
  const answers = answersTo(operation, played)
  const [first, last] = [answers[0], answers.at(-1)]
  const fail = (what: string): never => {
    const texts = answers.map(({ status, message }) => `${status} ${message}`.trim())
    throw new Violation(`${what}; answered: ${texts.join(' | ')}`)
  }
  if (!first || !last) return
  const isKeyed = operation.retry.do !== 'status'
  if (
    trouble.isMinor &&
    operation.isReceipt &&
    operation.ask.do !== 'call' &&
    first.status !== 200 &&
    !UNREPORTED.test(first.message)
  )
    fail('it was not printed, although the link can cope with this trouble')
  const final = isKeyed ? last : first
  if (trouble.retries && isKeyed && operation.isWhole && final.status !== 200 && !MORE.test(final.message))
    fail('the retry did not print it')
  if (!trouble.onOneDevice || isAmbiguous(one)) return
  const afterwards = ({ replies }: Played) => (operation.after.length > 0 ? replies.slice(-operation.after.length) : [])
  const usual = afterwards(expected)
  const unusual = afterwards(played).find(({ status }, index) => status !== usual[index]?.status)
  if (unusual && final.status === 200) fail(`a later request was answered ${unusual.status} ${unusual.message}`)
  if (final.status === 200 && !played.hasCorrection) {
    const place = played.paper.findIndex((line, index) => line !== expected.paper[index])
    if (place >= 0 || played.paper.length !== expected.paper.length)
      fail(
        `the answer was 200, and the paper is another than without a fault: line ${place + 1} is ` +
          `${JSON.stringify(played.paper[place])}, not ${JSON.stringify(expected.paper[place])}`,
      )
  }
  const receiptsBefore = operation.ask.do === 'call' ? 1 : undefined
  if (receiptsBefore !== undefined && final.status !== 200 && operation.isWhole && !MORE.test(final.message))
    if (played.fiscalReceipts !== receiptsBefore) fail(`${played.fiscalReceipts} fiscal receipts after an error`)
}

export async function tryPlace(one: Place, setting: Partial<Setting> = {}): Promise<void> {
  const { device, operation, fault: trouble, place } = one
  const expected = await undisturbed(device, operation)
  const { bytesToDevice, bytesToHost } = expected.places
  const lengths = { 'link.toDevice': bytesToDevice, 'link.toHost': bytesToHost }
  const steps: readonly PlayedStep[] = [
    ...operation.before,
    ...trouble.steps(operation, place, lengths),
    ...operation.after,
  ]
  await play({ device, powerBackMs: BLINK_MS, ...setting }, steps, {
    judge: (played) => judge(one, expected, played),
    mayStayOpen: !operation.isWhole,
  })
}

export interface FaultCase {
  readonly name: string
  readonly run: () => Promise<unknown>
}

export interface Row extends RotationOptions {
  readonly name: string
  readonly devices: readonly Device[]
  count(device: Device): Promise<number>
  caseAt(device: Device, index: number): Promise<FaultCase>
}

type RowOptions = Pick<Row, 'name' | 'of' | 'deepOf' | 'devices'>

const placesRow = (
  options: RowOptions,
  operations: (device: Device) => readonly Operation[],
  troubles: readonly FaultColumn[],
): Row => {
  const all = memoize((device: Device) => placesFor(device, operations(device), troubles))
  return {
    ...options,
    count: async (device) => (await all(device)).length,
    async caseAt(device, index) {
      const one = (await all(device))[index] as Place
      return { name: describePoint(one), run: () => tryPlace(one, { onSqlite: isOnSqlite(index) }) }
    },
  }
}

const stepsRow = (
  options: RowOptions,
  count: (family: Family) => number | Promise<number>,
  stepsAt: (family: Family, index: number) => readonly Step[] | Promise<readonly Step[]>,
): Row => ({
  ...options,
  count: async (family) => count(family),
  async caseAt(family, index) {
    const steps = await stepsAt(family, index)
    const one = { family, seed: index, slow: false, powerBackMs: BLINK_MS, steps }
    return { name: `${family}: ${steps.map(describeStep).join('; ')}`, run: () => runCase(one) }
  },
})

const NO_EXCHANGE = SINGLE_FAULTS.filter(({ onOneDevice }) => onOneDevice)
const often = (device: Device) => callOperations(device).filter(({ isRare }) => !isRare)
const seldom = (device: Device) => callOperations(device).filter(({ isRare }) => isRare)

/** `of` and `deepOf` follow from the duration of a case: 3 to 5 ms on one core. */
export const ROWS: readonly Row[] = [
  placesRow(
    { name: 'one trouble in each kind of request', devices: DEVICES, of: 1500 },
    () => STEP_OPERATIONS,
    SINGLE_FAULTS,
  ),
  placesRow({ name: 'one trouble in each request in full', devices: DEVICES, of: 6500 }, often, NO_EXCHANGE),
  placesRow(
    { name: 'one trouble in requests that tills send seldom', devices: DEVICES, of: 8000 },
    seldom,
    NO_EXCHANGE,
  ),
  placesRow(
    { name: 'two faults in each kind of request', devices: FAMILIES, of: 11_000, deepOf: 12 },
    () => STEP_OPERATIONS,
    SECOND_FAULTS,
  ),
  placesRow({ name: 'every byte of a receipt', devices: DEVICES, of: 3000 }, () => [BYTES_OPERATION], [
    ...BYTE_FAULTS,
    ...POWER_FAULTS,
  ]),
  stepsRow(
    { name: 'another client in the middle of a request', devices: FAMILIES, of: 650 },
    async (family) => (await atOnce(family)).length,
    async (family, index) => (await atOnce(family))[index] as readonly Step[],
  ),
  stepsRow(
    { name: 'a device that comes back', devices: FAMILIES, of: 800 },
    async (family) => (await comesBack(family)).length,
    async (family, index) => (await comesBack(family))[index] as readonly Step[],
  ),
  stepsRow(
    { name: 'a disk that fails besides', devices: FAMILIES, of: 160_000, deepOf: 900 },
    () => FAILING_DISKS,
    (_family, index) => failingDisk(index),
  ),
]
