import { isRefusal } from '../link/session.ts'
import { refused } from '../model/errors.ts'
import type { ArchivedZ } from '../model/printer.ts'
import { TAX_CODES, taxLetter } from '../model/receipt.ts'
import type { DeviceB } from './session.ts'
import { readZText, type ZText } from './z-text.ts'

const GROSS = 0
const NET = 1
const TAX = 2
const RATES = 3
const LAST_NUMBER = 9_999
const FIRST_PAYMENT_NAME = 60

type Modes = readonly { readonly mode: number }[]

export async function readArchivedZ(device: DeviceB, number: number, modes: Modes): Promise<ArchivedZ | undefined> {
  const { facts } = device
  if (number > LAST_NUMBER) return undefined
  const part = (option: number) => device.ask('archivedZ', { number, option })
  const gross = await part(GROSS)
  if (gross.values.result === 'absent') return undefined
  const [net, tax, rates] = [await part(NET), await part(TAX), await part(RATES)]
  const turnovers = groupSums(facts, gross.values)
  const taxes = groupSums(facts, tax.values)
  return {
    number,
    total: turnovers.reduce((sum, one) => sum + one, 0),
    taxes: TAX_CODES.slice(0, facts.groups).map((taxCode, index) => ({
      taxCode,
      letter: taxLetter(taxCode),
      rate: rates.values.result === 'rates' ? (rates.values.rates[index] ?? null) : null,
      turnover: turnovers[index] ?? null,
      tax: taxes[index] ?? null,
    })),
    ...(await textOf(device, number, modes)),
    raw: [gross, net, tax, rates].map(({ text }) => text).join(';'),
  }
}

/**
 * Returns the sales of the groups. Some firmware sends one list of sums, some a second list after it, some the tax-free
 * sum before it (sheet 2). Throws if the record of the fiscal memory is damaged.
 */
export function groupSums(
  { groups }: DeviceB['facts'],
  answer: { readonly result?: string; readonly sums?: readonly number[] },
): number[] {
  if (answer.result === 'damaged') throw refused('F', 'recordDamaged', 'the record of the fiscal memory is damaged')
  const { sums = [] } = answer
  return sums.slice(sums.length === groups + 1 ? 1 : 0).slice(0, groups)
}

/**
 * Resolves to the values in the text of the Z report. All values are null if the firmware does not return its journal
 * or its payment names.
 */
async function textOf(device: DeviceB, number: number, modes: Modes): Promise<ZText> {
  try {
    const border = String(number)
    const query = { content: 'z', by: 'z', from: border, to: border, option: 'A' } as const
    const lines = await device.lines('journalRead', query)
    return readZText(lines, await paymentNames(device, modes))
  } catch (problem) {
    if (!isRefusal(problem, 'any')) throw problem
    return readZText([], [])
  }
}

/** Number of modes that have a name in the device. Modes that exist only in the configuration have none. */
const OWN_MODES = 5

async function paymentNames(device: DeviceB, modes: Modes): Promise<{ mode: number; name: string }[]> {
  const names: { mode: number; name: string }[] = []
  for (const { mode } of modes) {
    if (mode >= OWN_MODES) continue
    const { value } = (await device.ask('texts', { do: 'read', number: FIRST_PAYMENT_NAME + mode })).values
    if (value !== undefined) names.push({ mode, name: value })
  }
  return names
}
