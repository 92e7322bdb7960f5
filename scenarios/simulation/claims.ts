/**
 * Documents that carry no mark of their request (reports, copies, receipts that were filled step by step) are judged by
 * their number: of each kind there are at least as many as answers said for certain, and at most as many as were said
 * or left unknown. A number that an answer names must be that of such a document, and of no earlier answer's.
 */

import type { Reply } from './client.ts'
import type { Document } from './journal.ts'
import type { Judged, Said } from './judge.ts'
import type { RequestStep } from './steps.ts'

type Kind = 'z' | 'x' | 'copy' | 'close' | 'cancel'

const KIND_OF: Readonly<Partial<Record<RequestStep['do'], Kind>>> = {
  z: 'z',
  x: 'x',
  copy: 'copy',
  close: 'close',
  cancel: 'cancel',
}

export class Claims {
  readonly #world: Judged
  /** By request: has an answer said that it is printed, or is the last word on it that nobody knows? */
  readonly #requests = new Map<number, { readonly kind: Kind; isPrinted: boolean; isUnknown: boolean }>()
  /** Receipts that a close was told, by number, with the request that was told. */
  readonly #closings = new Map<string, number>()

  constructor(world: Judged) {
    this.#world = world
  }

  /** What is wrong about this answer; undefined: nothing. */
  heard(request: number, step: RequestStep, said: Said, reply: Reply): string | undefined {
    const kind = KIND_OF[step.do]
    if (kind === undefined) return undefined
    const one = this.#requests.get(request) ?? { kind, isPrinted: false, isUnknown: false }
    this.#requests.set(request, one)
    if (said.is === 'printed') one.isPrinted = true
    // A request that failed for certain at last did not print at first either; what was unknown stays possible.
    if (said.is === 'unknown' || said.is === 'owed' || mayHavePrinted(reply)) one.isUnknown = true
    const counted = this.#count(kind)
    if (counted !== undefined) return counted
    if (said.is !== 'printed' || said.number === undefined) return undefined
    return kind === 'close' ? this.#closing(request, said.number) : undefined
  }

  final(): string | undefined {
    for (const kind of Object.values(KIND_OF)) {
      const wrong = this.#count(kind)
      if (wrong !== undefined) return wrong
    }
    return undefined
  }

  #count(kind: Kind): string | undefined {
    const requests = [...this.#requests.values()].filter((one) => one.kind === kind)
    const certain = requests.filter(({ isPrinted }) => isPrinted).length
    const possible = requests.filter(({ isPrinted, isUnknown }) => isPrinted || isUnknown).length
    const printed = this.#documents(kind).length
    // What another program ended or cancelled of ours is not told to anybody; a device cancels by itself too.
    if (kind === 'cancel') return undefined
    if (printed < certain) return `${certain} answers say that ${kind} was printed, and ${printed} are on paper`
    if (printed > possible) return `${printed} of ${kind} are on paper, and at most ${possible} answers allow that`
    return undefined
  }

  #closing(request: number, number: string): string | undefined {
    if (!this.#documents('close').some((one) => String(one.number) === number))
      return `it was told receipt ${number}, which is no receipt that was filled step by step`
    const other = this.#closings.get(number)
    if (other !== undefined && other !== request) return `it was told receipt ${number}, as request ${other} was before`
    this.#closings.set(number, request)
    return undefined
  }

  #documents(kind: Kind): readonly Document[] {
    const all = this.#world.journals.flatMap((journal) => journal.documents())
    const ours = all.filter(({ device, number }) => !this.#world.stranger?.owns(device, number))
    switch (kind) {
      case 'close':
        return all.filter(
          (one) =>
            (one.kind === 'fiscal' || one.kind === 'invoice') &&
            one.marks.length === 0 &&
            !this.#world.stranger?.hasEnded(one.device, one.number),
        )
      case 'cancel':
        return all.filter((one) => one.kind === 'cancelled')
      case 'z':
      case 'x':
      case 'copy':
        return ours.filter((one) => one.kind === kind)
    }
  }
}

/** `Two documents were printed instead of one` is an error that says so. */
const mayHavePrinted = ({ message }: Reply): boolean => /carried out a command twice/.test(message)
