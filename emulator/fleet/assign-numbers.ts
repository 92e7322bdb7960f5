import { omitUndefined } from '../../drivers/model/omit-undefined.ts'
import { drawnIdentity, storedIdentity } from '../identity.ts'
import { profileOf } from '../profiles.ts'
import type { PrinterPlan } from './printer-plan.ts'

/**
 * Returns the plans with unique serial and fiscal memory numbers. An existing device in a folder keeps its numbers. A
 * new device in a folder gets random numbers (`random` returns 0 to below 1). A device in memory or with a passport
 * continues the numbers of its profile or passport.
 */
export function assignNumbers(plans: readonly PrinterPlan[], random: () => number): PrinterPlan[] {
  const storedIdentities = plans.map(storedIdentity)
  const taken = new Set(storedIdentities.map((identity) => identity?.serialNumber))
  const steps = new Map<string, number>()
  return plans.map((plan, index) => {
    const own = storedIdentities[index]
    if (own) return { ...plan, identity: own }
    const knownProfile = profileOf(plan)
    const isDrawn = plan.data !== undefined && plan.passport === undefined
    const first = {
      ...knownProfile,
      ...(isDrawn ? drawnIdentity(knownProfile, random) : omitUndefined(numbersOf(plan))),
    }
    let step = steps.get(first.serialNumber) ?? 0
    let serialNumber = counted(first.serialNumber, step)
    while (taken.has(serialNumber)) serialNumber = counted(first.serialNumber, ++step)
    taken.add(serialNumber)
    steps.set(first.serialNumber, step + 1)
    return { ...plan, identity: { serialNumber, fiscalMemoryNumber: counted(first.fiscalMemoryNumber, step) } }
  })
}

const numbersOf = ({ passport }: PrinterPlan) => {
  const { serialNumber, fiscalMemoryNumber } = passport?.device ?? {}
  return { serialNumber, fiscalMemoryNumber }
}

/** Returns the number that is `step` numbers later: `DT000123` and 4 yield `DT000127`. */
function counted(text: string, step: number): string {
  const digits = text.slice([...text].findLastIndex((one) => !/\d/.test(one)) + 1)
  const number = (BigInt(digits === '' ? 0 : digits) + BigInt(step)) % 10n ** BigInt(digits.length)
  return text.slice(0, text.length - digits.length) + String(number).padStart(digits.length, '0')
}
