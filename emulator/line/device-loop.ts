/**
 * The device between its lines and its books. The loop controls time (busy bytes, the gap inside a frame, the postponed
 * receipt), power and the injection points; the wire protocol defines the meaning of bytes. The loop executes one
 * command at a time, from any line.
 */
import type { Deframed } from '../../drivers/wire/deframer.ts'
import { PowerCut } from '../fiscal/types/events.ts'
import type { FrameReaction } from '../wire.ts'
import { DeviceLine, type LineEnd, type LineHandle, type LineOwner } from './device-line.ts'
import type { LoopOptions } from './loop-options.ts'
import { execute, RunningCommand } from './running-command.ts'

export class DeviceLoop implements LineOwner {
  readonly options: LoopOptions
  readonly #lines = new Set<DeviceLine>()
  #power = true
  #running: RunningCommand | undefined
  #executing = false
  #cancelIdle: (() => void) | undefined

  constructor(options: LoopOptions) {
    this.options = options
    options.mechanism.onUnblocked(() => this.#running?.unblocked())
    this.#watchIdle()
  }

  get power(): boolean {
    return this.#power
  }

  /** True while a command runs in the books: events of the books then belong to this command. */
  get executing(): boolean {
    return this.#executing
  }

  get busy(): boolean {
    return this.#running !== undefined
  }

  get atRest(): boolean {
    return !this.busy && [...this.#lines].every((line) => line.atRest)
  }

  attach(end: LineEnd): LineHandle {
    const line = new DeviceLine(this, end)
    this.#lines.add(line)
    // A host that has reconnected receives the answer to its last command.
    if (this.#running && !this.#lines.has(this.#running.line)) this.#running.line = line
    return {
      receive: (bytes) => line.receive(bytes),
      whenQuiet: (call) => {
        if (this.#running?.line === line) line.quietCalls.push(call)
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
    if (!on) return
    this.#watchIdle()
    const { powerOnNoise: noise, onFrame } = this.options
    if (noise === undefined) return
    onFrame('toHost', noise)
    for (const { end } of this.#lines) end.send(noise)
  }

  /** Switches the power off, and on again after `powerReturnsAfterMs` if that is set. */
  cutPower(): void {
    this.setPower(false)
    const { clock, powerReturnsAfterMs } = this.options
    if (powerReturnsAfterMs !== undefined) clock.after(powerReturnsAfterMs, () => this.setPower(true))
  }

  /**
   * Must be called after a manual change of the device's clock: actions at a certain hour may be due earlier or later.
   */
  clockMoved(): void {
    if (this.#power && !this.#running) this.#watchIdle()
  }

  close(): void {
    this.#stopEverything()
    for (const line of this.#lines) line.clear()
    this.#lines.clear()
  }

  deliverFrame(line: DeviceLine, event: Deframed<unknown>): void {
    const { wire, onFrame } = this.options
    onFrame('toDevice', event.kind === 'single' ? Uint8Array.of(event.byte) : event.bytes, line.end.host)
    // A host that sends another request has stopped reading the streamed lines.
    if (event.kind === 'frame' && this.streamsTo(line)) {
      this.#running?.stop()
      this.#running = undefined
      this.#answered(line)
    }
    if (this.#running) {
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

  expired(line: DeviceLine, piece: Uint8Array): void {
    this.options.onFrame('toDevice', piece, line.end.host)
    if (this.#running) return
    const reply = this.options.wire.expired(piece)
    if (reply) line.send(reply, 'unknown')
  }

  /**
   * Returns true if the byte acknowledges a line of the answer that is being streamed (commands 153 and 195 of family
   * B).
   */
  acknowledged(line: DeviceLine, byte: number): boolean {
    const running = this.#running
    if (running?.line !== line || !running.acknowledges(byte)) return false
    this.options.onFrame('toDevice', Uint8Array.of(byte), line.end.host)
    running.nextLine()
    return true
  }

  streamsTo(line: DeviceLine): boolean {
    return this.#running?.line === line && this.#running.streams
  }

  ended(line: DeviceLine, what: 'unplug' | 'powerCut'): void {
    if (what === 'unplug') line.end.unplug()
    else this.cutPower()
  }

  #run(line: DeviceLine, meeting: Extract<FrameReaction, { kind: 'run' }>): void {
    this.#cancelIdle?.()
    this.#cancelIdle = undefined
    const begun = this.options.clock.now()
    this.#executing = true
    const executed = execute(meeting, this.options, () => line.end.unplug())
    this.#executing = false
    if (executed.kind !== 'answered') this.options.onCommand?.(false, this.options.clock.now() - begun)
    switch (executed.kind) {
      case 'powerCut':
        this.cutPower()
        return
      case 'unanswered':
        this.#watchIdle()
        return
      case 'answered': {
        const { answer, busyMs } = executed
        const takesMs = (this.options.durationMs?.(meeting.command, answer) ?? 0) + busyMs
        this.options.onCommand?.(answer.isRefusal === true, this.options.clock.now() - begun + takesMs)
        const running = new RunningCommand(line, meeting.command, answer, {
          options: this.options,
          hasPower: () => this.#power,
          released: () => {
            this.#running = undefined
            if (takesMs > 0) this.options.onWorked?.(takesMs)
          },
          answered: (heard) => this.#answered(heard),
        })
        this.#running = running
        running.begin(takesMs)
      }
    }
  }

  #answered(line: DeviceLine): void {
    if (this.#power) this.#watchIdle()
    for (const call of line.quietCalls.splice(0)) call()
  }

  #watchIdle(): void {
    this.#cancelIdle?.()
    this.#cancelIdle = undefined
    const idle = this.options.wire.timing.idle?.()
    if (!idle) return
    const { clock, idleClock = clock } = this.options
    this.#cancelIdle = idleClock.after(idle.afterMs, () => {
      this.#cancelIdle = undefined
      try {
        idle.act()
      } catch (problem) {
        if (problem instanceof PowerCut) this.cutPower()
        else this.options.onTrouble(problem, 'idle')
      }
    })
  }

  #stopEverything(): void {
    this.#cancelIdle?.()
    this.#cancelIdle = undefined
    const running = this.#running
    this.#running = undefined
    running?.stop()
    for (const line of this.#lines) line.clear()
    for (const call of running?.line.quietCalls.splice(0) ?? []) call()
  }
}
