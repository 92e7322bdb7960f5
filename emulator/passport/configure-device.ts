/**
 * Configures a new emulated device like a recorded one: first by factory settings, then by commands of the wire
 * protocol.
 */
import { parseDecimal } from '../../drivers/model/money.ts'
import { TAX_CODES, taxLetter } from '../../drivers/model/receipt.ts'
import { Deframer } from '../../drivers/wire/deframer.ts'
import { frameOf } from '../../drivers/wire/passport-probes.ts'
import type { DeviceFacts, Questionnaire } from '../../drivers/wire/questionnaire.ts'
import type { FactorySettings } from '../fiscal/types/profile.ts'
import type { Wire } from '../wire.ts'

export function settingsFrom({ taxRates, header, footer }: DeviceFacts): FactorySettings {
  const rates = TAX_CODES.flatMap((code) => {
    const rate = taxRates?.[taxLetter(code)]
    if (rate === undefined) return []
    const percent = rate === null ? null : parseDecimal(rate, 2)
    return typeof percent === 'string' ? [] : [[code, percent] as const]
  })
  return {
    ...(rates.length > 0 && { taxRates: Object.fromEntries(rates) }),
    ...(header && { header }),
    ...(footer && { footer }),
  }
}

/**
 * Sends the commands that configure the device, which must not have printed anything. Settings that the device refuses
 * remain unchanged.
 */
export function programDeviceFacts({ wire }: { readonly wire: Wire }, q: Questionnaire, facts: DeviceFacts): void {
  const deframer = new Deframer(wire.shape)
  let number = q.numbers.first
  for (const ask of q.configureCommands(facts)) {
    number = number >= q.numbers.last ? q.numbers.first : number + 1
    for (const event of deframer.push(frameOf(q, ask, number))) {
      const meeting = wire.meet(event)
      if (meeting.kind === 'run') meeting.run()
    }
  }
  wire.restart()
}
