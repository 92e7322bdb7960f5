/**
 * Events of a world: faults of a step's frame, interruptions of the line, and actions of other programs and persons.
 */
import type { FiscalPrinter } from '../../drivers/model/printer.ts'
import type { Rule } from '../../emulator/faults/rule.ts'
import type { FrameOutcomeName, OutsideActionName, ProgramActionName } from '../../scenarios/simulation/event-names.ts'
import type { KeyFrame, SmallWorld } from './small-world.ts'
import { CASH, OTHER_CASH, operatorOf } from './steps.ts'

export const BLINK_MS = 300
const LONG_MS = 600_000
/** Longer than the driver waits for an answer. */
const LATE_MS = 4000

export interface FrameOutcome {
  readonly name: FrameOutcomeName
  readonly arm: (world: SmallWorld, frame: KeyFrame) => void
  readonly powerBackMs?: number
  readonly after?: (world: SmallWorld) => Promise<void>
  /** True if other programs can use the line during the interruption. */
  readonly isBroken?: true
  /** The part of the exchange that is lost. */
  readonly loses?: 'frame' | 'answer'
  /** True if the device evidence equals that of another outcome. Such an outcome is combined with one action only. */
  readonly isLikeAnother?: true
}

const fault =
  (rule: (frame: KeyFrame) => Rule): FrameOutcome['arm'] =>
  (world, frame) =>
    void world.emulator.faults.add(rule(frame))

const cut =
  (loses: 'frame' | 'answer'): FrameOutcome['arm'] =>
  (world, { write }) =>
    world.cutAt(write, loses)

const lost = (skip: number): Rule => ({ at: 'link.toDevice', skip, times: 1, do: 'drop' })
const blink = ({ commandsBefore: skip }: KeyFrame): Rule => ({ at: 'command.after', skip, times: 1, do: 'powerCut' })

/** The line breaks after the retransmission has reached the device. */
const twiceAndCut: FrameOutcome['arm'] = (world, frame) => {
  fault(blink)(world, frame)
  world.cutAt(frame.write + 1, 'answer')
}

const reopened = async (world: SmallWorld): Promise<void> => {
  world.mend()
  await world.losePort()
}
const restarted = async (world: SmallWorld): Promise<void> => {
  world.mend()
  await world.restart()
}
/** Two consecutive requests get no response. The port stays open, but its far end was connected to another device. */
const farEndMoved = async (world: SmallWorld): Promise<void> => {
  await world.evidence(false)
  await world.evidence(false)
  world.mend()
}

const broken = (
  name: FrameOutcomeName,
  loses: 'frame' | 'answer',
  after: FrameOutcome['after'] & object,
  more: Partial<FrameOutcome> = { isLikeAnother: true },
): FrameOutcome => ({ ...{ name, loses, after, isBroken: true, arm: cut(loses) }, ...more })

export const LOST_WITH_THE_LINE = broken('is lost with the line', 'frame', reopened, {})

export const FRAME_OUTCOMES: readonly FrameOutcome[] = [
  { name: 'arrives', arm: () => undefined },
  { name: 'is lost once', arm: fault(({ commandsBefore }) => lost(commandsBefore)) },
  {
    name: 'arrives, and its answer is lost once',
    arm: fault(({ answersBefore: skip }) => ({ at: 'link.toHost', skip, times: 1, do: 'drop' })),
  },
  {
    name: 'arrives, and its answer is late',
    arm: fault(({ answersBefore: skip }) => ({ at: 'link.toHost', skip, times: 1, do: { delayMs: LATE_MS } })),
    after: (world) => world.wait(LATE_MS),
  },
  {
    name: 'is refused',
    arm: fault(({ commandsBefore: skip }) => ({ at: 'command.before', skip, times: 1, do: 'refuse' })),
  },
  { name: 'is executed, and again after a short power failure', arm: fault(blink) },
  {
    name: 'is executed, and a long power failure follows',
    arm: fault(blink),
    powerBackMs: LONG_MS,
    after: async (world) => world.emulator.setPower(true),
  },
  { name: 'is lost on a silent line', arm: cut('frame'), after: async (world) => world.mend() },
  {
    name: 'arrives, and its answer is lost on a silent line',
    arm: cut('answer'),
    after: async (world) => world.mend(),
  },
  LOST_WITH_THE_LINE,
  broken('arrives, and its answer is lost with the line', 'answer', reopened, {}),
  broken('is executed twice, and the answer is lost with the line', 'answer', reopened, { arm: twiceAndCut }),
  broken('is lost, and the far end of the line is moved', 'frame', farEndMoved),
  broken('arrives, and the far end of the line is moved', 'answer', farEndMoved),
  broken('is lost, and the service is killed', 'frame', restarted),
  broken('arrives, and the service is killed', 'answer', restarted),
]

/**
 * The far end of the line is connected elsewhere during one unanswered request, and back before the next one. The port
 * stays open, so the hold counts as unbroken. These outcomes are played apart from the others.
 */
export const UNNOTICED: readonly FrameOutcome[] = (['frame', 'answer'] as const).map((loses) =>
  broken(
    `${loses === 'frame' ? 'is lost' : 'arrives'}, and the far end of the line is elsewhere for one question`,
    loses,
    async (world) => world.mend(),
  ),
)

export interface OutsideAction {
  readonly name: OutsideActionName
  /** Resolves to false if the device refuses the action, which then has no effect. */
  readonly act: (world: SmallWorld) => Promise<boolean>
  /** True for an action that a person can do while the service holds the line. */
  readonly byHand?: true
  readonly alsoEarlier?: true
  /** True if the device does not report the action. Such an action is played without a second one. */
  readonly isAlone?: true
  /** True if later actions would concern another device than that of the step. */
  readonly isLast?: true
  /** True if a device with another fiscal memory responds under the same numbers afterwards. */
  readonly isOtherMemory?: true
}

const PAUSE_MS = 60_000
const OPERATOR = 2

export const byOtherProgram = (
  name: ProgramActionName,
  act: (printer: FiscalPrinter) => Promise<unknown>,
): OutsideAction => ({
  name: `another program ${name}`,
  async act(world) {
    await world.wait(PAUSE_MS)
    return (await world.byOther(act)) !== undefined
  },
})

const open = (printer: FiscalPrinter) =>
  printer.openFiscal({ operator: operatorOf(printer, OPERATOR), pointOfSale: 1, invoice: false })
const sell = (printer: FiscalPrinter, quantity = 1000) => printer.sellArticle({ plu: 1, quantity, void: false })
const cash = (printer: FiscalPrinter, amount: number) =>
  printer.moveCash?.(amount, operatorOf(printer, OPERATOR)) ?? Promise.resolve()
const receipt = async (printer: FiscalPrinter): Promise<void> => {
  await open(printer)
  await sell(printer)
  await printer.pay({ mode: 0 })
  await printer.closeFiscal()
}

const HOUR_MS = 3_600_000

export const OUTSIDE_ACTIONS: readonly OutsideAction[] = [
  {
    name: 'a Z report is printed by hand',
    act: async (world) => world.byHand(({ device }) => device.reportZ().ok),
    byHand: true,
    alsoEarlier: true,
  },
  {
    name: 'the clock of the device is set one hour on',
    act: async (world) =>
      world.byHand((emulator) => emulator.setClock(emulator.device.localTime(emulator.device.now() + HOUR_MS)).ok),
    byHand: true,
    isAlone: true,
  },
  {
    name: 'the device is switched off and on',
    async act(world) {
      world.emulator.setPower(false)
      await world.wait(BLINK_MS)
      world.emulator.setPower(true)
      return true
    },
    byHand: true,
    isAlone: true,
  },
  {
    name: 'the electronic journal cannot be read',
    async act(world) {
      world.journalFails()
      return true
    },
    byHand: true,
  },
  {
    name: 'another device takes its place',
    async act(world) {
      await world.replaceDevice()
      return true
    },
    isLast: true,
  },
  {
    name: 'the memory of the device is a new one',
    async act(world) {
      await world.newMemory()
      return true
    },
    isOtherMemory: true,
  },
  {
    name: 'the memory of the device is another one, with a receipt',
    async act(world) {
      await world.newMemory()
      return (await world.byOther(receipt)) !== undefined
    },
    isOtherMemory: true,
  },
  byOtherProgram('opens a fiscal receipt', open),
  byOtherProgram('opens a non-fiscal receipt', (printer) => printer.openNonFiscal(operatorOf(printer, OPERATOR))),
  byOtherProgram('sells the same row', (printer) => sell(printer)),
  byOtherProgram('sells another row', (printer) => sell(printer, 3000)),
  byOtherProgram('voids a row', (printer) => printer.sellArticle({ plu: 1, quantity: 1000, void: true })),
  byOtherProgram('pays the remaining amount in cash', (printer) => printer.pay({ mode: 0 })),
  byOtherProgram('pays a part by card', (printer) => printer.pay({ mode: 1, amount: 30 })),
  byOtherProgram('closes what is open', async (printer) => {
    const { kind } = await printer.transactionStatus()
    return kind === 'NonFiscal' ? printer.closeNonFiscal() : printer.closeFiscal()
  }),
  byOtherProgram('cancels what is open', async (printer) => {
    const { kind } = await printer.transactionStatus()
    return kind === 'NonFiscal' ? printer.cancelNonFiscal() : printer.cancelFiscal()
  }),
  byOtherProgram('sells a whole receipt', receipt),
  byOtherProgram('prints an X report', (printer) => printer.reportX()),
  byOtherProgram('prints a Z report', (printer) => printer.reportZ()),
  byOtherProgram('prints a copy', (printer) => printer.copyLastReceipt()),
  byOtherProgram('puts the same cash in', (printer) => cash(printer, CASH)),
  byOtherProgram('puts other cash in', (printer) => cash(printer, OTHER_CASH)),
  byOtherProgram('takes the same cash out', (printer) => cash(printer, -CASH)),
  byOtherProgram('takes other cash out', (printer) => cash(printer, -OTHER_CASH)),
]
