import { isDocumentationBuilt } from '../../drivers/host/documentation-files.ts'
import { systemClock } from '../../drivers/model/clock.ts'
import { messageOf } from '../../drivers/model/errors.ts'
import type { Emulator } from '../emulator.ts'
import type { DeviceSnapshot } from '../fiscal/api.ts'
import { PlainStore } from '../fiscal/plain-store.ts'
import { WrongCall } from '../panel/call-input.ts'
import type { PanelEvent } from '../panel/contract.ts'
import { type ControlOptions, type Controls, controlsOf } from '../panel/controls.ts'
import { documentView, headView } from '../panel/views.ts'
import type { DocumentPlace, GroupMessage, QuestionName, Questions, StartOrder, StartReport } from './messages.ts'
import { type RunningPrinter, StartError, startPrinter } from './printer.ts'

interface Group {
  ask<Name extends QuestionName>(question: Name, ask: Questions[Name]['ask']): Promise<Questions[Name]['answer']>
  books(): readonly (readonly [string, DeviceSnapshot])[]
}

/** Minimum interval between bundles in ms. */
export const BUNDLE_MS = 100
/** Maximum number of serial port links that are created at the same time, because each is a child process. */
const LINKS_AT_ONCE = 16

export type ServiceOf = (emulator: Emulator) => Pick<ControlOptions, 'till' | 'serviceCalls'>

interface Member {
  readonly printer: RunningPrinter
  readonly controls: Controls
}

type GroupAnswers = {
  readonly [Name in QuestionName]: (
    ask: Questions[Name]['ask'],
  ) => Questions[Name]['answer'] | Promise<Questions[Name]['answer']>
}

export function createGroup(post: (news: GroupMessage) => void, serviceOf: ServiceOf): Group {
  const members: Members = new Map()
  const listeners = new Map<number, () => void>()
  const changes = new ChangeReporter(members, post)
  const memberOf = (name: string): Member => {
    const member = members.get(name)
    if (member) return member
    throw new WrongCall(`there is no printer ${name}`, 404)
  }

  async function start({ plan, books }: StartOrder): Promise<StartReport> {
    const { name } = plan
    try {
      // Rows in plain objects need a sixth of the memory of a database in memory, and a fifth of its creation time.
      const store = plan.data === undefined ? new PlainStore() : undefined
      const printer = await startPrinter(plan, (line) => post({ news: 'log', name, line }), store)
      if (books) printer.emulator.restore(books, 'rig')
      const { emulator, tcp } = printer
      members.set(name, {
        printer,
        controls: controlsOf(emulator, { ...serviceOf(emulator), hasDocs: async () => isDocumentationBuilt() }),
      })
      changes.follow(name, printer)
      const { profile } = emulator.profile
      return { name, ok: true, profile, ...(tcp !== undefined && { tcp }), documents: documentsOf(printer) }
    } catch (error) {
      if (error instanceof StartError) return { name, ok: false, failure: error.failure }
      const message = (error instanceof Error && error.stack) || messageOf(error)
      return { name, ok: false, failure: { kind: 'other', message } }
    }
  }

  const answering: GroupAnswers = {
    async start(orders) {
      const reports: StartReport[] = []
      // Printers without a link need no child process, so that all of them start at once.
      const plain = orders.filter(({ plan }) => plan.link === undefined)
      reports.push(...(await Promise.all(plain.map(start))))
      const linked = orders.filter(({ plan }) => plan.link !== undefined)
      for (let at = 0; at < linked.length; at += LINKS_AT_ONCE)
        reports.push(...(await Promise.all(linked.slice(at, at + LINKS_AT_ONCE).map(start))))
      return reports
    },
    call: ({ name, call, carried }) => memberOf(name).controls.answer(call, carried),
    rows: (names) => rowsOf(members, names),
    documents: (places) => places.map((place) => documentAt(members, place)),
    heads: (places) => headsAt(members, places),
    figures: () => [...members.values()].map(({ printer }) => printer.figures),
    news() {
      changes.send()
      return undefined
    },
    listen({ name, listener }) {
      const onEvents = bundledEvents((events) => post({ news: 'events', listener, events }))
      listeners.set(listener, memberOf(name).controls.listen(onEvents))
    },
    unlisten({ listener }) {
      listeners.get(listener)?.()
      listeners.delete(listener)
    },
    watch(on) {
      changes.isWatched = on
    },
    async end() {
      changes.end()
      for (const end of listeners.values()) end()
      listeners.clear()
      const ended = [...members.values()].map(({ printer }) => printer.close())
      members.clear()
      await Promise.allSettled(ended)
    },
  }

  return {
    ask: async (question, ask) => answering[question](ask),
    books: () =>
      [...members].flatMap(([name, { printer }]) =>
        printer.plan.data === undefined ? [[name, printer.emulator.device.snapshot()] as const] : [],
      ),
  }
}

type Members = Map<string, Member>

const rowsOf = (members: Members, names: readonly string[]) =>
  names.flatMap((name) => members.get(name)?.printer.row() ?? [])

const documentsOf = ({ emulator }: RunningPrinter) => emulator.device.documentHeads().map(({ id }) => id)

function documentAt(members: Members, { name, own }: DocumentPlace) {
  const document = members.get(name)?.printer.emulator.device.document(own)
  return document ? documentView(document) : null
}

function headsAt(members: Members, places: readonly DocumentPlace[]) {
  const first = new Map<string, number>()
  for (const { name, own } of places) first.set(name, Math.min(own, first.get(name) ?? own))
  const heads = new Map(
    [...first].map(([name, own]) => {
      const heads = members.get(name)?.printer.emulator.device.documentHeads({ after: own - 1 }) ?? []
      return [name, new Map(heads.map((head) => [head.id, headView(head)]))]
    }),
  )
  return places.map(({ name, own }) => heads.get(name)?.get(own) ?? null)
}

/** Collects the events of one turn of the event loop, so that a burst is one message. */
function bundledEvents(send: (events: readonly PanelEvent[]) => void): (event: PanelEvent) => void {
  let events: PanelEvent[] = []
  return (event) => {
    events.push(event)
    if (events.length > 1) return
    setImmediate(() => {
      send(events)
      events = []
    })
  }
}

class ChangeReporter {
  readonly #members: Members
  readonly #post: (news: GroupMessage) => void
  readonly #changed = new Set<string>()
  #printed: DocumentPlace[] = []
  #cancel: (() => void) | undefined
  isWatched = false

  constructor(members: Members, post: (news: GroupMessage) => void) {
    this.#members = members
    this.#post = post
  }

  send(): void {
    this.end()
    if (this.#printed.length > 0) this.#post({ news: 'printed', documents: this.#printed })
    this.#printed = []
    if (this.isWatched && this.#changed.size > 0)
      this.#post({ news: 'rows', rows: rowsOf(this.#members, [...this.#changed]) })
    this.#changed.clear()
  }

  end(): void {
    this.#cancel?.()
    this.#cancel = undefined
  }

  follow(name: string, printer: RunningPrinter): void {
    const { emulator } = printer
    let { generation } = emulator
    emulator.subscribe((event) => {
      if (event.type === 'frame') return
      if (event.type === 'document') this.#printed.push({ name, own: event.id })
      if (emulator.generation !== generation) {
        generation = emulator.generation
        this.#printed = this.#printed.filter((one) => one.name !== name)
        this.#post({ news: 'another', name, documents: documentsOf(printer) })
      }
      if (this.isWatched) this.#changed.add(name)
      if (this.isWatched || this.#printed.length > 0) this.#cancel ??= systemClock.after(BUNDLE_MS, () => this.send())
    })
  }
}
