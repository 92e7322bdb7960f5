import type { Explanation } from './refusals.ts'

/**
 * The closed list of problems between a request and the device. `server/operations/outcome.ts` converts them to
 * answers.
 */
export type DeviceProblem =
  /** The device refused with a code of its wire protocol. Its state has not changed. */
  | {
      readonly kind: 'refused'
      readonly code: string
      readonly key: string
      readonly meaning: string
      readonly here?: Explanation
    }
  | { readonly kind: 'cannotPrint'; readonly condition: keyof typeof CANNOT_PRINT }
  /** The driver refused before anything was sent, because the wire protocol does not support the operation. */
  | { readonly kind: 'unsupported'; readonly why: string }
  /**
   * The driver refused, before anything was sent, a value that the wire protocol cannot represent. `field`: its name in
   * drivers/model.
   */
  | { readonly kind: 'badValue'; readonly field: string; readonly why: string }
  | { readonly kind: 'portMissing' | 'portLost'; readonly path: string; readonly why: string }
  | { readonly kind: 'noAnswer' }
  /** The device reported that it was busy and did not finish within the time limit of the command. */
  | { readonly kind: 'stillBusy' }
  /** The answers are not from a device of this family: an echo, another protocol, or only damaged bytes. */
  | { readonly kind: 'notThisFamily'; readonly why: string }
  /** The device rejected all frames as damaged, or all its answers were damaged. */
  | { readonly kind: 'lineNoise'; readonly why: string }
  /** The answer to a command that may have been executed was lost, and further queries did not show the outcome. */
  | {
      readonly kind: 'outcomeUnknown'
      readonly what: string
      /** The last command that may have been executed, by its name in the family's catalogue. */
      readonly command?: string
      readonly look?: string
    }

export const messageOf = (problem: unknown): string => (problem instanceof Error ? problem.message : String(problem))

/** Matches reasons that contain their own advice, such as `another program uses the port: end that program`. */
const HAS_ADVICE = /: (?:end|add|leave) /

/** Adds advice to the reason why a device could not be reached, unless the reason contains its own. */
export const withPortAdvice = (why: string): string =>
  HAS_ADVICE.test(why) ? `${why}.` : `${why}. Check the device, its cable and its address.`

export const portMessage = (problem: unknown): string => messageOf(problem).replace(/^Error:\s*/, '')

export class DeviceError extends Error {
  readonly problem: DeviceProblem
  /** True if a command was retransmitted before this problem (`PrintResult` in printer.ts). */
  readonly retransmitted: boolean
  /** Path of the refused part in a request for a whole receipt, for example `ReceiptItems[2]`. */
  readonly at: string | undefined

  constructor(problem: DeviceProblem, retransmitted = false, at?: string) {
    super(describeProblem(problem))
    this.at = at
    this.name = 'DeviceError'
    this.problem = problem
    this.retransmitted = retransmitted
  }
}

export const refusal = (code: string | number, key: string, meaning: string): DeviceProblem => ({
  kind: 'refused',
  code: String(code),
  key,
  meaning,
})

export const refused = (code: string | number, key: string, meaning: string): DeviceError =>
  new DeviceError(refusal(code, key, meaning))

export const cannotPrint = (condition: keyof typeof CANNOT_PRINT): DeviceProblem => ({ kind: 'cannotPrint', condition })

export const badValue = (field: string, why: string): DeviceProblem => ({ kind: 'badValue', field, why })

/**
 * Texts about a device that cannot print. `retry` is the advice to retry, or empty if the request must not be retried.
 */
const CANNOT_PRINT = {
  noPaper: (retry) => `The printer is out of paper. Load a new roll${retry}.`,
  coverOpen: (retry) => `The printer cover is open. Close it${retry}.`,
  mechanism: () =>
    'The print mechanism reports a failure. Turn the device off and on. If the failure persists, contact service.',
  /** Text for wire protocols that have one bit for cover and mechanism. */
  coverOrMechanism: (retry) =>
    `The printer cover is open or the mechanism has failed. Close the cover${retry}. If the failure persists, turn the device off and on, or contact service.`,
  /** Text for devices that report only that they are busy, or that have one bit for paper and cover. */
  paperOrCover: (retry) =>
    `The printer waits: it is out of paper or its cover is open. Load a new roll or close the cover${retry}.`,
  overheated: (retry) => `The print head is overheated. Wait a few minutes${retry}.`,
} satisfies Readonly<Record<string, (retry: string) => string>>

/** Advice about a busy device whose wire protocol does not report the reason before the command is done. */
export const CHECK_PRINTER = 'Check whether it is out of paper or its cover is open'

/**
 * Describes a problem for the caller. `mayRepeat` is false if a part of the request was executed, so that a retry would
 * execute it again. `isKnown`: the caller knows what the device executed, so the text mentions no doubt.
 */
export function describeProblem(problem: DeviceProblem, { mayRepeat = true, isKnown = false } = {}): string {
  switch (problem.kind) {
    case 'refused':
      if (problem.here) return `${problem.here.what} (device: ${problem.code}): ${problem.here.todo}.`
      return `The device rejected the command: ${problem.meaning} (${problem.code}${nameOf(problem.key)}).`
    case 'cannotPrint':
      return CANNOT_PRINT[problem.condition](mayRepeat ? ' and retry' : '')
    case 'unsupported':
      return problem.why
    case 'badValue':
      return `${problem.field}: ${problem.why}.`
    case 'portMissing':
      return `Cannot open port ${problem.path}: ${problem.why}.${HAS_ADVICE.test(problem.why) ? '' : ' Check the cable and the `device` setting.'}`
    case 'portLost':
      return `The connection to the device at ${problem.path} was lost: ${problem.why}. The service will reconnect at the next request.`
    case 'noAnswer':
      return 'The device does not respond. Check that it is switched on, connected, and set to the configured baud rate.'
    case 'stillBusy':
      return `The device is still busy and did not finish in time. ${CHECK_PRINTER}.`
    case 'notThisFamily':
      return `The connected device does not use the configured family's protocol: ${problem.why}.`
    case 'lineNoise':
      return `The connection to the device is unreliable: ${problem.why}. Check the cable, the baud rate and the configured family.`
    case 'outcomeUnknown': {
      const { what, command, look } = problem
      if (command === undefined) return what
      const doubt = isKnown ? '' : ', which it may have executed'
      return `${what} after ${command}${doubt}.${look === undefined || isKnown ? '' : ` ${look}.`}`
    }
  }
}

/** Returns the name of a refusal after its code; none if it only counts the fields of the command, as the meaning does. */
const nameOf = (key: string): string => (/Field\d+$/.test(key) ? '' : `, ${key}`)

export const isUnanswered = ({ kind }: DeviceProblem): boolean => SILENT.has(kind)

export const isOutcomeUnknown = (problem: unknown): problem is DeviceError =>
  problem instanceof DeviceError && problem.problem.kind === 'outcomeUnknown'

const SILENT: ReadonlySet<DeviceProblem['kind']> = new Set([
  'outcomeUnknown',
  'noAnswer',
  'stillBusy',
  'portLost',
  'portMissing',
  'lineNoise',
])
