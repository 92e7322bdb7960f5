import type { CommandName } from '../../drivers/family-c/protocol/index.ts'
import type { WireC } from '../../drivers/family-c/wire.ts'
import type { DeviceClient } from '../../drivers/link/protocol-adapter.ts'
import { refused } from '../../drivers/model/errors.ts'

/**
 * Responses by command: values, a function of the requested values, or a failure. Commands without an entry are
 * refused.
 */
export type ScriptedAnswers = Partial<Record<CommandName, object | Error | ((values: never) => unknown)>>

/** Returns a device of family C without a wire. `asked` contains the executed commands, each as its name and values. */
export function scriptedDevice(answers: ScriptedAnswers): DeviceClient<WireC> & { readonly asked: readonly string[] } {
  const asked: string[] = []
  function answer(name: CommandName, values: object): unknown {
    asked.push([name, ...Object.values(values)].join(' '))
    const scripted = answers[name]
    const answered = typeof scripted === 'function' ? scripted(values as never) : scripted
    if (scripted === undefined) throw refused('1', 'unknown', 'it has no such command')
    if (answered instanceof Error) throw answered
    return answered
  }
  const ask = async (name: CommandName, values: object) => ({
    values: answer(name, values),
    text: '',
    status: undefined,
  })
  const device = {
    asked,
    ask,
    async askUnlessRefused(_refusals: 'any', name: CommandName, values: object) {
      return answers[name] === undefined ? undefined : ask(name, values)
    },
    lines: async (name: CommandName, values: object) => answer(name, values),
  }
  return device as Partial<DeviceClient<WireC>> as DeviceClient<WireC> & { readonly asked: readonly string[] }
}
