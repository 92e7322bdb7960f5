import type { Clock } from '../../drivers/model/clock.ts'
import { type Deframed, Deframer } from '../../drivers/wire/deframer.ts'
import type { Injector, LinkPoint } from '../faults/points.ts'
import { PowerCut } from '../fiscal/types.ts'
import type { Answer, Meeting, Wire } from '../wire.ts'
import { Transit } from './transit.ts'

/**
 * The device between its line and its books: bytes → frames → meaning → answer. It owns time (busy bytes, the gap inside
 * a frame, the postponed receipt), power and the fault points; a wire owns meaning. One command at a time, from
 * whichever line it comes.
 */

/** The far end of a line as the loop sees it: a port binding, a pty, a TCP client. */
export interface LineEnd {
  send(bytes: Uint8Array): void
  /** The cable is pulled out in the middle of something. */
  unplug(): void
  /** The host's bytes wait on its own side from now on, or come again; a line that cannot do that lets them come. */
  hold?(on: boolean): void
  /** Speed that the host has set, where the line can tell; undefined: not set, or not known. */
  speed?(): number | undefined | Promise<number | undefined>
  /** What the operating system takes to carry bytes there and back, which no serial port has: not a time of the line. */
  readonly carriedMs?: number
}

export interface LineHandle {
  receive(bytes: Uint8Array): void
  /** Calls back as soon as no command of this line is running. */
  whenQuiet(call: () => void): void
  detach(): void
}

export interface LoopOptions {
  readonly wire: Wire
  readonly clock: Clock
  readonly injector: Injector
  readonly mechanism: { readonly blocked: boolean; readonly canPrint: boolean; onUnblocked(call: () => void): void }
  /** Time that a command takes beyond its books; 0 without. */
  readonly durationMs?: ((command: string, answer: Answer) => number) | undefined
  readonly onFrame: (direction: 'toDevice' | 'toHost', bytes: Uint8Array) => void
  /** Before the wire starts anew: what was half done in the books is settled. */
  readonly powerOn: () => void
  readonly onPower: (on: boolean) => void
  /** An error of ours inside a command: reported, the command stays unanswered. */
  readonly onTrouble: (problem: unknown, command: string) => void
  /** Power comes back by itself this long after a power cut; undefined: somebody has to switch it on. */
  readonly powerReturnsAfterMs?: number | undefined
}

/** How long a streamed line may stay without its acknowledgement (sheet B 10.9: "no acknowledge: the device stops"). */
const ACKNOWLEDGE_MS = 5000

type Run = Extract<Meeting, { kind: 'run' }>

interface Work {
  line: Line
  readonly command: string
  readonly answer: Answer
  /** Set while lines are sent one by one. */
  streamed: number | undefined
  /** The device had to work, or to wait, before it could answer. */
  readonly took: boolean
  /** It is done but for paper. */
  waits: boolean
}

export class DeviceLoop {
  readonly options: LoopOptions
  readonly #lines = new Set<Line>()
  #power = true
  #work: Work | undefined
  /** Everything that was started before a power cut is void after it. */
  #alarms = new Set<() => void>()
  #cancelIdle: (() => void) | undefined

  constructor(options: LoopOptions) {
    this.options = options
    options.mechanism.onUnblocked(() => {
      if (this.#work?.waits) this.#ready(this.#work)
    })
    this.#watchIdle()
  }

  get power(): boolean {
    return this.#power
  }

  get busy(): boolean {
    return this.#work !== undefined
  }

  attach(end: LineEnd): LineHandle {
    const line = new Line(this, end)
    this.#lines.add(line)
    // A host that has connected anew hears what its last command comes to.
    if (this.#work && !this.#lines.has(this.#work.line)) this.#work.line = line
    return {
      receive: (bytes) => line.receive(bytes),
      whenQuiet: (call) => {
        if (this.#work?.line === line) line.quietCalls.push(call)
        else call()
      },
      detach: () => {
        line.clear()
        this.#lines.delete(line)
      },
    }
  }

  setPower(on: boolean): void {
    if (on === this.#power) return
    this.#power = on
    this.#stopEverything()
    if (on) {
      this.options.powerOn()
      this.options.wire.restart()
    }
    this.options.onPower(on)
    if (on) this.#watchIdle()
  }

  /** The power fails by itself, inside a command or between two. */
  cutPower(): void {
    this.setPower(false)
    const { clock, powerReturnsAfterMs } = this.options
    if (powerReturnsAfterMs !== undefined) clock.after(powerReturnsAfterMs, () => this.setPower(true))
  }

  /** The device's clock was set by hand: what it does at a certain hour may be due now, or later. */
  clockMoved(): void {
    if (this.#power && !this.#work) this.#watchIdle()
  }

  close(): void {
    this.#stopEverything()
    for (const line of this.#lines) line.clear()
    this.#lines.clear()
  }

  // ---------------------------------------------------------------- what a line hands over

  met(line: Line, event: Deframed<unknown>): void {
    const { wire } = this.options
    const bytes = event.kind === 'single' ? Uint8Array.of(event.byte) : event.bytes
    this.options.onFrame('toDevice', bytes)
    // A host that asks something else has stopped reading the lines that are sent one by one.
    if (event.kind === 'frame' && this.streamsTo(line)) {
      this.#clearAlarms()
      this.#work = undefined
      this.#afterCommand(line)
    }
    if (this.#work) {
      const reply = wire.meetWhileBusy(event)
      if (reply) line.send(reply, 'unknown')
      return
    }
    const meeting = wire.meet(event)
    switch (meeting.kind) {
      case 'ignore':
        return
      case 'reply':
        line.send(meeting.bytes, 'unknown')
        return
      case 'run':
        this.#run(line, meeting)
    }
  }

  expired(line: Line, piece: Uint8Array): void {
    this.options.onFrame('toDevice', piece)
    if (this.#work) return
    const reply = this.options.wire.expired(piece)
    if (reply) line.send(reply, 'unknown')
  }

  /** True when the byte was the acknowledgement of a streamed line. */
  acknowledged(line: Line, byte: number): boolean {
    const work = this.#work
    if (!work || work.line !== line || work.streamed === undefined) return false
    if (!work.answer.stream?.acknowledges(byte)) return false
    this.options.onFrame('toDevice', Uint8Array.of(byte))
    this.#clearAlarms()
    this.#streamLine(work, work.streamed + 1)
    return true
  }

  streamsTo(line: Line): boolean {
    return this.#work?.line === line && this.#work.streamed !== undefined
  }

  ended(line: Line, what: 'unplug' | 'powerCut'): void {
    if (what === 'unplug') line.end.unplug()
    else this.cutPower()
  }

  // ---------------------------------------------------------------- one command

  #run(line: Line, meeting: Run): void {
    const { injector, clock } = this.options
    const { command } = meeting
    this.#cancelIdle?.()
    this.#cancelIdle = undefined
    const before = injector.watches('command.before') ? injector.command('command.before', command) : {}
    if (before.ending === 'powerCut') {
      this.cutPower()
      return
    }
    if (before.ending === 'unplug') line.end.unplug()
    if (before.drop) {
      this.#watchIdle()
      return
    }
    let answer: Answer
    try {
      answer = before.refuse ? meeting.refuse() : meeting.run()
    } catch (problem) {
      if (problem instanceof PowerCut) {
        this.cutPower()
        return
      }
      this.options.onTrouble(problem, command)
      this.#watchIdle()
      return
    }
    const after = injector.watches('command.after') ? injector.command('command.after', command) : {}
    if (after.ending === 'powerCut') {
      this.cutPower()
      return
    }
    if (after.ending === 'unplug') line.end.unplug()
    if (after.drop) {
      this.#watchIdle()
      return
    }

    const takesMs = (this.options.durationMs?.(command, answer) ?? 0) + (before.busyMs ?? 0) + (after.busyMs ?? 0)
    const took = takesMs > 0 || this.#isBlocked(answer)
    const work: Work = { line, command, answer, streamed: undefined, took, waits: false }
    this.#work = work
    if (!took) {
      this.#answer(work)
      return
    }
    const { busy } = this.options.wire.timing
    if (busy) this.#beat(work, clock.now() + (busy.firstMs ?? busy.everyMs), busy)
    if (takesMs > 0) this.#alarm(takesMs, () => this.#ready(work))
    else work.waits = true
  }

  #isBlocked(answer: Answer): boolean {
    return answer.waitsForPaper === true && this.options.mechanism.blocked
  }

  #ready(work: Work): void {
    // The lines went on paper at once in the books; on the device the last of them is due only now.
    if (work.answer.waitsForPaper && (this.options.mechanism.blocked || !this.options.mechanism.canPrint)) {
      work.waits = true
      return
    }
    this.#clearAlarms()
    this.#answer(work)
  }

  /** The busy byte, at its own rhythm counted from the start so that it does not drift. */
  #beat(work: Work, at: number, busy: { readonly byte: number; readonly everyMs: number }): void {
    this.#alarm(Math.max(0, at - this.options.clock.now()), () => {
      if (this.#work !== work) return
      work.line.send(Uint8Array.of(busy.byte), work.command)
      this.#beat(work, at + busy.everyMs, busy)
    })
  }

  #answer(work: Work): void {
    if (work.answer.stream) this.#streamLine(work, 0)
    else this.#finish(work)
  }

  #streamLine(work: Work, index: number): void {
    const bytes = work.answer.stream?.lines[index]
    if (!bytes) {
      this.#finish(work)
      return
    }
    work.streamed = index
    this.#alarm(ACKNOWLEDGE_MS, () => {
      this.#work = undefined
      this.#afterCommand(work.line)
    })
    work.line.send(bytes, work.command)
  }

  #finish(work: Work): void {
    this.#work = undefined
    const { answer } = work
    for (const frame of (work.took ? answer.later?.() : undefined) ?? answer.frames) {
      // A fault on the way may have taken the power; then the rest is not sent.
      if (this.#power) work.line.send(frame, work.command)
    }
    this.#afterCommand(work.line)
  }

  #afterCommand(line: Line): void {
    if (this.#power) this.#watchIdle()
    for (const call of line.quietCalls.splice(0)) call()
  }

  #watchIdle(): void {
    this.#cancelIdle?.()
    this.#cancelIdle = undefined
    const idle = this.options.wire.timing.idle?.()
    if (!idle) return
    this.#cancelIdle = this.options.clock.after(idle.afterMs, () => {
      this.#cancelIdle = undefined
      try {
        idle.act()
      } catch (problem) {
        if (problem instanceof PowerCut) this.cutPower()
        else this.options.onTrouble(problem, 'idle')
      }
    })
  }

  // ---------------------------------------------------------------- time

  #alarm(afterMs: number, call: () => void): void {
    const cancel = this.options.clock.after(afterMs, () => {
      this.#alarms.delete(cancel)
      call()
    })
    this.#alarms.add(cancel)
  }

  #clearAlarms(): void {
    for (const cancel of this.#alarms) cancel()
    this.#alarms.clear()
  }

  #stopEverything(): void {
    this.#clearAlarms()
    this.#cancelIdle?.()
    this.#cancelIdle = undefined
    const { line } = this.#work ?? {}
    this.#work = undefined
    for (const each of this.#lines) each.clear()
    for (const call of line?.quietCalls.splice(0) ?? []) call()
  }
}

/** One line of the device: its deframer, its gap limit, and the two directions with their fault points. */
class Line {
  readonly end: LineEnd
  readonly quietCalls: (() => void)[] = []
  readonly #loop: DeviceLoop
  readonly #deframer: Deframer<unknown>
  readonly #in: Transit
  readonly #out: Transit
  #cancelGap: (() => void) | undefined
  /** Only while rules wait for frames to the device: a frame must be whole before anything can happen to it. */
  #tap: { readonly deframer: Deframer<unknown>; held: Uint8Array; cancel: () => void } | undefined

  constructor(loop: DeviceLoop, end: LineEnd) {
    const { clock, wire } = loop.options
    this.#loop = loop
    this.end = end
    this.#deframer = new Deframer(wire.shape)
    const ended = (what: 'unplug' | 'powerCut') => loop.ended(this, what)
    this.#in = new Transit(clock, (bytes) => this.#arrived(bytes), ended)
    this.#out = new Transit(clock, (bytes) => end.send(bytes), ended)
  }

  receive(bytes: Uint8Array): void {
    if (!this.#loop.power) return
    if (this.#tap || this.#loop.options.injector.watches('link.toDevice')) this.#tapped(bytes)
    else this.#in.pass(bytes)
  }

  send(bytes: Uint8Array, command: string): void {
    this.#loop.options.onFrame('toHost', bytes)
    this.#through(this.#out, 'link.toHost', command, bytes)
  }

  clear(): void {
    this.#deframer.reset()
    this.#cancelGap?.()
    this.#cancelGap = undefined
    this.#tap?.cancel()
    this.#tap = undefined
    this.#in.clear()
    this.#out.clear()
  }

  #through(transit: Transit, point: LinkPoint, command: string, bytes: Uint8Array): void {
    const { injector, wire } = this.#loop.options
    if (!injector.watches(point)) {
      transit.pass(bytes)
      return
    }
    const direction = point === 'link.toHost' ? 'toHost' : 'toDevice'
    const name = command === 'unknown' ? wire.describe(direction, bytes).command : command
    transit.deliver(injector.link(point, { command: name, bytes }))
  }

  #arrived(bytes: Uint8Array): void {
    if (!this.#loop.power) return
    if (this.#loop.streamsTo(this)) {
      for (const byte of bytes) {
        if (!this.#loop.acknowledged(this, byte)) this.#deframe(Uint8Array.of(byte))
      }
    } else this.#deframe(bytes)
  }

  #deframe(bytes: Uint8Array): void {
    for (const event of this.#deframer.push(bytes)) {
      if (!this.#loop.power) return
      this.#loop.met(this, event)
    }
    if (!this.#deframer.pending) {
      this.#cancelGap?.()
      this.#cancelGap = undefined
      return
    }
    this.#cancelGap?.()
    const { clock, wire } = this.#loop.options
    this.#cancelGap = clock.after(wire.timing.gapMs, () => {
      this.#cancelGap = undefined
      const piece = this.#deframer.expire()
      if (piece) this.#loop.expired(this, piece)
    })
  }

  #tapped(bytes: Uint8Array): void {
    const { clock, wire } = this.#loop.options
    this.#tap ??= { deframer: new Deframer(wire.shape), held: new Uint8Array(0), cancel: () => undefined }
    const tap = this.#tap
    tap.cancel()
    let held: Uint8Array = Buffer.concat([tap.held, bytes])
    tap.held = held
    for (const found of tap.deframer.push(bytes)) {
      if (found.kind === 'damaged') continue
      const whole = found.kind === 'single' ? Uint8Array.of(found.byte) : found.bytes
      const at = Buffer.from(held).indexOf(whole)
      if (at < 0) continue
      if (at > 0) this.#in.pass(held.subarray(0, at))
      held = held.subarray(at + whole.length)
      this.#through(this.#in, 'link.toDevice', 'unknown', whole)
      if (this.#tap !== tap) return
    }
    if (tap.deframer.pending) {
      tap.held = held
      tap.cancel = clock.after(wire.timing.gapMs / 2, () => this.#untap())
    } else {
      if (held.length > 0) this.#in.pass(held)
      this.#tap = undefined
    }
  }

  /** Half a frame and a pause: it goes to the device as it is. */
  #untap(): void {
    const held = this.#tap?.held
    this.#tap = undefined
    if (held && held.length > 0) this.#in.pass(held)
  }
}
