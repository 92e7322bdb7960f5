/**
 * Compares the first answer to a request that ran alone with the state of the device itself, not with its paper. A 200
 * to a single step must fit the open receipt. A query must report the values of the device. A definite error must have
 * changed nothing.
 */

import type { Emulator } from '../../emulator/emulator.ts'
import { decimal, money } from '../oracle/decimal.ts'
import { isOther } from './attribution.ts'
import type { ClaimedOutcome } from './claimed-outcome.ts'
import type { Reply } from './client.ts'
import type { JudgedWorld } from './paper.ts'
import type { RequestStep } from './steps.ts'

type Device = Emulator['device']

interface StateBefore {
  readonly emulator: Emulator
  readonly state: string
  readonly open: number | undefined
  readonly zs: number
  readonly isBusy: boolean
  isAlone: boolean
  readonly acts: number
}

export class AnswerConsistency {
  readonly #world: JudgedWorld
  readonly #statesBefore = new Map<number, StateBefore>()
  /**
   * True if an answer left an outcome unknown or announced further actions. Later changes may be due to that request.
   */
  #isUnsettled = false

  constructor(world: JudgedWorld) {
    this.#world = world
  }

  /** Must be called before a request is sent. `others` are the numbers of requests under way. */
  asks(request: number, others: readonly number[]): void {
    const { device, loop } = this.#emulator
    this.#statesBefore.set(request, {
      emulator: this.#emulator,
      state: stateOf(device),
      open: device.receipt === null ? undefined : device.counters.lastDocument,
      zs: zsOf(device),
      isBusy: loop.busy,
      isAlone: others.length === 0,
      acts: this.#world.attribution?.acts.length ?? 0,
    })
    for (const other of others) {
      const before = this.#statesBefore.get(other)
      if (before) before.isAlone = false
    }
  }

  get #emulator(): Emulator {
    return this.#world.devices.at(-1) as Emulator
  }

  /**
   * Returns the contradiction between the answer and the device, or `undefined`. `isFirst`: there was no earlier answer
   * to the request.
   */
  onReply(
    request: number,
    step: RequestStep,
    outcome: ClaimedOutcome,
    reply: Reply,
    isFirst: boolean,
  ): string | undefined {
    const before = this.#statesBefore.get(request)
    const isSettled = !this.#isUnsettled
    if (outcome.is === 'unknown' || outcome.is === 'paidNotClosed' || LEAVES_MORE.test(reply.message))
      this.#isUnsettled = true
    if (this.#mentionsOtherProgram(reply)) return `no other program has used the device: ${reply.message}`
    if (!before?.isAlone || !isFirst || before.emulator !== this.#emulator) return undefined
    const since = this.#world.attribution?.acts.slice(before.acts) ?? []
    // Another program acted during the request, so the service alone does not determine the state of the device.
    const isOthersToo = since.some(({ sender }) => isOther(sender))
    if (outcome.is === 'printed' && isOthersToo) return undefined
    if (outcome.is === 'printed')
      return outcome.asRequested ? this.#wrongOf(step, outcome, reply, before, isSettled) : undefined
    const isCertain = outcome.is === 'nothing' && isSettled && !before.isBusy && !this.#world.cameLate
    if (!isCertain || !LEAVES_NOTHING.has(step.do) || DONE.test(reply.message)) return undefined
    const state = stateOf(this.#emulator.device)
    const isUnchanged = isOthersToo ? since.every(({ sender }) => sender !== 'service') : state === before.state
    if (isUnchanged) return undefined
    return `${step.do} was answered ${reply.status}: ${reply.message} The device held ${before.state}, and holds ${state}`
  }

  /**
   * Returns true if the answer states that another program has acted, although none took part. A statement that one may
   * have acted is allowed.
   */
  #mentionsOtherProgram({ message }: Reply): boolean {
    const { attribution, logFailed = false, hasForgotten = false } = this.#world
    if (attribution === undefined || attribution.hasOtherProgram || logFailed) return false
    const certain = message.replace(MAY_BE_OTHERS, '').replace(hasForgotten ? OR_NOT_STORED : '', '')
    return /another program/i.test(certain)
  }

  #wrongOf(
    step: RequestStep,
    outcome: ClaimedOutcome,
    reply: Reply,
    before: StateBefore,
    isSettled: boolean,
  ): string | undefined {
    const { device } = this.#emulator
    const { receipt } = device
    switch (step.do) {
      case 'open':
      case 'openSlip':
        return receipt === null ? 'nothing is open, and the answer was 200' : undefined
      case 'close':
        if (receipt !== null) return STILL_OPEN
        if (before.open === undefined || outcome.is !== 'printed' || outcome.number === String(before.open))
          return undefined
        return `the answer names receipt ${outcome.number}, and receipt ${before.open} was closed`
      case 'cancel':
      case 'closeSlip':
      case 'cancelSlip':
        return receipt === null ? undefined : STILL_OPEN
      case 'payRest':
        return receipt?.kind === 'fiscal' && receipt.fiscal.rest > 0
          ? `the answer was 200, but ${money(BigInt(receipt.fiscal.rest))} remains to be paid`
          : undefined
      case 'z':
        return isSettled && zsOf(device) !== before.zs + 1
          ? `the device has ${zsOf(device)} Z reports, it had ${before.zs}`
          : undefined
      case 'copy':
        return this.#wrongCopy(reply)
      case 'status':
        return wrongStatus(device, reply)
      default:
        return undefined
    }
  }

  /** A copy repeats the last printed receipt. On some devices that may be a cancelled one. */
  #wrongCopy({ data }: Reply): string | undefined {
    const number = (data as { ReceiptNumber?: unknown } | undefined)?.ReceiptNumber
    const journal = this.#world.journals.at(-1)
    const cancelled = journal?.documents().filter(({ kind }) => kind === 'cancelled')
    const last = [journal?.receipts().at(-1)?.number, cancelled?.at(-1)?.number].filter((one) => one !== undefined)
    if (number === '' || last.some((one) => String(one) === number)) return undefined
    return `it is a copy of ${last.join(' or ')}, the answer says ${number}`
  }
}

const STILL_OPEN = 'a receipt is open, and the answer was 200'

/** Matches answers which announce that the service will close or cancel an earlier receipt. */
const LEAVES_MORE =
  /before it processes any other request|must be completed or cancelled first|It started on the device/
const DONE = /twice/
const OR_NOT_STORED = /Another program [^.]*, or this service did and could not store it in its operation log\./
const MAY_BE_OTHERS =
  /,? or (?:another program (?:has )?(?:printed|moved|opened)|was closed by another program|by another program)|another program uses the port/g

/** Steps after whose failure the service has nothing to void. */
const LEAVES_NOTHING: ReadonlySet<RequestStep['do']> = new Set<RequestStep['do']>([
  'open',
  'sale',
  'text',
  'discount',
  'payCard',
  'payRest',
  'close',
  'cancel',
  'openSlip',
  'slipText',
  'closeSlip',
  'cancelSlip',
  'z',
  'x',
  'copy',
  'status',
])

const Z_NUMBER_MAX = 99_999
const zsOf = ({ memory }: Device): number => memory.zs(1, Z_NUMBER_MAX).length

const stateOf = ({ receipt, counters }: Device): string =>
  JSON.stringify([counters.lastDocument, receipt], (_key, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  )

interface StatusData {
  readonly IsOpen: boolean
  readonly Kind: 'None' | 'NonFiscal' | 'Fiscal' | 'Invoice'
  readonly ReceiptNumber: string | null
  readonly Total: number | null
  readonly Remaining: number | null
}

function wrongStatus({ receipt, counters }: Device, { data }: Reply): string | undefined {
  const { IsOpen, Kind, ReceiptNumber, Total, Remaining } = data as StatusData
  const differs = (what: string, reported: unknown, is: unknown) =>
    `the ${what} is ${is}, but the answer says ${reported}`
  const isAmount = (reported: number | null, is: number) =>
    reported === null || decimal(String(reported), 2) === BigInt(is)
  if (IsOpen !== (receipt !== null))
    return `a receipt is ${receipt === null ? 'not ' : ''}open, the answer says ${IsOpen}`
  if (receipt === null) return Kind === 'None' ? undefined : differs('kind', Kind, 'None')
  if ((Kind === 'NonFiscal') !== (receipt.kind === 'nonFiscal')) return differs('kind', Kind, receipt.kind)
  if (receipt.kind !== 'fiscal') return undefined
  const { total, rest } = receipt.fiscal
  if (!isAmount(Total, total)) return differs('total', Total, total)
  if (!isAmount(Remaining, Math.max(0, rest))) return differs('rest', Remaining, rest)
  if (ReceiptNumber !== null && ReceiptNumber !== String(counters.lastDocument))
    return differs('number', ReceiptNumber, counters.lastDocument)
  return undefined
}
