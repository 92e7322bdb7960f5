/**
 * Records which sender began, changed and ended each document. The sender is that of the last frame, independent of the
 * content of the document and of the sums of the device.
 */
import type { Emulator } from '../../emulator/emulator.ts'
import { memoryIdOf } from './memory-id.ts'

/** `device`: an act of the device itself when its power returned. */
type Sender = 'service' | 'other program' | 'hand' | 'device'

export interface Act {
  readonly device: string
  readonly document: number
  readonly sender: Sender
  readonly does: 'begins' | 'changes' | 'ends'
  readonly opens?: 'fiscal' | 'nonFiscal' | undefined
}

interface ObservedState {
  readonly lastDocument: number
  readonly open: number | undefined
  readonly content: string
}

export class Attribution {
  readonly #acts: Act[] = []
  readonly #startedActs = new Map<string, Act>()
  readonly #ended = new Map<string, Act>()
  readonly #changedByOthers = new Set<string>()
  readonly #watches: DeviceObserver[] = []
  #hasOtherProgram = false

  watch(emulator: Emulator): void {
    this.#watches.push(
      new DeviceObserver(emulator, (act) => this.#note(act), () => {
        this.#hasOtherProgram = true
      }), // biome-ignore format: two callbacks
    )
  }

  get acts(): readonly Act[] {
    for (const watch of this.#watches) watch.look()
    return this.#acts
  }

  async as(sender: Sender, emulator: Emulator, act: () => void | Promise<void>): Promise<void> {
    if (sender === 'other program') this.#hasOtherProgram = true
    const watch = this.#watches.find((one) => one.emulator === emulator)
    if (watch) await watch.as(sender, act)
    else await act()
  }

  /** True if another program has sent a frame, whatever its result, or has filled a fiscal memory. */
  get hasOtherProgram(): boolean {
    return this.#hasOtherProgram
  }

  /** Returns `undefined` if the document is older than the run. */
  begunBy(device: string, document: number): Sender | undefined {
    return this.#of(this.#startedActs, device, document)
  }

  /** Returns `undefined` if the document is open or older than the run. */
  endedBy(device: string, document: number): Sender | undefined {
    return this.#of(this.#ended, device, document)
  }

  isOthers(device: string, document: number): boolean {
    return isOther(this.begunBy(device, document)) || this.hasOtherEnded(device, document)
  }

  hasOtherEnded(device: string, document: number): boolean {
    return isOther(this.endedBy(device, document))
  }

  /** Returns true if another program or a person has begun or ended the document, or changed its sums. */
  hasOtherDecided(device: string, document: number): boolean {
    return this.isOthers(device, document) || this.#changedByOthers.has(keyOf(device, document))
  }

  openOfOthers(emulator: Emulator): number | undefined {
    const { receipt, counters } = emulator.device
    const { lastDocument } = counters
    return receipt !== null && isOther(this.begunBy(memoryIdOf(emulator), lastDocument)) ? lastDocument : undefined
  }

  #of(acts: ReadonlyMap<string, Act>, device: string, document: number): Sender | undefined {
    for (const watch of this.#watches) watch.look()
    return acts.get(keyOf(device, document))?.sender
  }

  #note(act: Act): void {
    const key = keyOf(act.device, act.document)
    this.#acts.push(act)
    if (act.does === 'begins') this.#startedActs.set(key, act)
    else if (act.does === 'ends') this.#ended.set(key, act)
    else if (isOther(act.sender)) this.#changedByOthers.add(key)
  }
}

const keyOf = (device: string, document: number): string => `${device} ${document}`

export const isOther = (sender: Sender | undefined): boolean => sender === 'other program' || sender === 'hand'

/** Observes one device. Attributes all changes between two looks to the sender of the last command. */
class DeviceObserver {
  readonly emulator: Emulator
  readonly #note: (act: Act) => void
  #lastSeen: ObservedState
  #sender: Sender = 'device'
  #hasPower: boolean

  constructor(emulator: Emulator, note: (act: Act) => void, onOther: () => void) {
    this.emulator = emulator
    this.#note = note
    this.#lastSeen = seenOn(emulator)
    this.#hasPower = emulator.power
    emulator.subscribe((event) => {
      if (event.type === 'frame') {
        if (event.entry.direction !== 'toDevice') return
        this.look()
        if (event.entry.host === 'other program') onOther()
        // A busy device executes no other command, and may end a document only when its paper is back.
        if (!emulator.loop.busy) this.#sender = senderOf(event.entry.host)
      } else if (this.#hasPower !== emulator.power) {
        this.look(this.#hasPower ? this.#sender : 'device')
        this.#hasPower = emulator.power
      } else if (event.type === 'state' && this.#hasPower) this.look()
    })
  }

  async as(sender: Sender, act: () => void | Promise<void>): Promise<void> {
    this.look()
    const before = this.#sender
    this.#sender = sender
    const acting = act()
    // A synchronous act leaves no time in which a frame could be attributed to its sender.
    if (acting) await acting
    this.look()
    this.#sender = before
  }

  look(sender: Sender = this.#sender): void {
    const now = seenOn(this.emulator)
    const before = this.#lastSeen
    this.#lastSeen = now
    const { lastDocument, open, content } = now
    if (lastDocument === before.lastDocument && open === before.open && content === before.content) return
    const act = (document: number, does: Act['does'], extra: Pick<Act, 'opens'> = {}): void =>
      this.#note({ device: memoryIdOf(this.emulator), document, sender, does, ...extra })
    if (before.open !== undefined && before.open !== open) act(before.open, 'ends')
    for (let document = before.lastDocument + 1; document <= lastDocument; document++) {
      const opens = document === open ? this.emulator.device.receipt?.kind : undefined
      act(document, 'begins', { opens })
      if (document !== open) act(document, 'ends')
    }
    if (open !== undefined && open === before.open && content !== before.content) act(open, 'changes')
  }
}

function seenOn({ device: { counters, receipt } }: Emulator): ObservedState {
  const { lastDocument } = counters
  if (receipt === null) return { lastDocument, open: undefined, content: '' }
  if (receipt.kind === 'nonFiscal') return { lastDocument, open: lastDocument, content: '' }
  const { items, total, paid, payments } = receipt.fiscal
  return { lastDocument, open: lastDocument, content: `${items} ${total} ${paid} ${payments.length}` }
}

const senderOf = (host: string | undefined): Sender => (host === 'other program' ? 'other program' : 'service')
