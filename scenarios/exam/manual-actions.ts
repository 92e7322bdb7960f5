/** Manual actions on a device, and how to undo them. To add an action, add a row. */
import type { Emulator } from '../../emulator/emulator.ts'

export interface ActionContext {
  readonly emulator: Emulator
  /** Kills the running till. Has no effect on a till that cannot be killed. */
  killTill(): void
  takePort(): Promise<() => void>
}

export interface ManualAction {
  readonly words: string
  readonly back?: string
  /** Starts the action. `undo` receives the result, or the value of the promise. */
  act(on: ActionContext): (() => void) | Promise<unknown> | undefined
  undo?(on: ActionContext, state: unknown): void | Promise<void>
}

const silent = (point: 'link.toDevice' | 'link.toHost'): Pick<ManualAction, 'act' | 'undo'> => ({
  act({ emulator }) {
    const { id } = emulator.faults.add({ at: point, do: 'drop' })
    return () => void emulator.faults.remove(id)
  },
  undo: (_, remove) => (remove as () => void)(),
})

const nothing = (act: () => void): undefined => {
  act()
  return undefined
}

export const MANUAL_ACTIONS = {
  paper: {
    words: 'the paper is out',
    back: 'a new roll is put in',
    act: ({ emulator }) => nothing(() => emulator.setPaper('out')),
    undo: ({ emulator }) => emulator.setPaper('ok'),
  },
  cover: {
    words: 'the cover is open',
    back: 'the cover is closed',
    act: ({ emulator }) => nothing(() => emulator.setCover(true)),
    undo: ({ emulator }) => emulator.setCover(false),
  },
  power: {
    words: 'the power is off',
    back: 'the power is on',
    act: ({ emulator }) => nothing(() => emulator.setPower(false)),
    undo: ({ emulator }) => emulator.setPower(true),
  },
  cable: {
    words: 'the cable is unplugged',
    back: 'the cable is plugged in',
    act: ({ emulator }) => emulator.setCable(false),
    undo: ({ emulator }) => emulator.setCable(true),
  },
  answers: { words: 'no answer arrives any more', back: 'answers arrive again', ...silent('link.toHost') },
  requests: {
    words: 'nothing reaches the device any more',
    back: 'the device receives again',
    ...silent('link.toDevice'),
  },
  port: {
    words: 'another client holds the port',
    back: 'the port is free',
    act: ({ takePort }) => takePort(),
    undo: (_, release) => (release as () => void)(),
  },
  till: { words: 'the till is killed', act: ({ killTill }) => nothing(killTill) },
} as const satisfies Readonly<Record<string, ManualAction>>

export type ManualActionName = keyof typeof MANUAL_ACTIONS
