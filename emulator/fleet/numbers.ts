import { existsSync } from 'node:fs'
import { present } from '../../drivers/model/present.ts'
import { DatabaseSync } from '../../drivers/model/sqlite.ts'
import { profileOf, storePath } from '../profiles.ts'
import type { Identity, PrinterPlan } from './plan.ts'

/**
 * Every device has numbers of its own: those of its profile, counted on over the devices of the floor. A device that its
 * folder already holds keeps those that it has.
 */
export function dealNumbers(plans: readonly PrinterPlan[]): PrinterPlan[] {
  const kept = plans.map(keptIdentity)
  const taken = new Set(kept.map((identity) => identity?.serialNumber))
  const steps = new Map<string, number>()
  return plans.map((plan, index) => {
    const own = kept[index]
    if (own) return { ...plan, identity: own }
    const first = { ...profileOf(plan), ...present(numbersOf(plan)) }
    let step = steps.get(first.serialNumber) ?? 0
    let serialNumber = counted(first.serialNumber, step)
    while (taken.has(serialNumber)) serialNumber = counted(first.serialNumber, ++step)
    taken.add(serialNumber)
    steps.set(first.serialNumber, step + 1)
    return { ...plan, identity: { serialNumber, fiscalMemoryNumber: counted(first.fiscalMemoryNumber, step) } }
  })
}

/** A device that has a passport begins at the numbers of that one. */
const numbersOf = ({ passport }: PrinterPlan) => {
  const { serialNumber, fiscalMemoryNumber } = passport?.device ?? {}
  return { serialNumber, fiscalMemoryNumber }
}

/** `DT000123` and 4 are `DT000127`. */
function counted(text: string, step: number): string {
  const digits = text.slice([...text].findLastIndex((one) => !/\d/.test(one)) + 1)
  const number = (BigInt(digits === '' ? 0 : digits) + BigInt(step)) % 10n ** BigInt(digits.length)
  return text.slice(0, text.length - digits.length) + String(number).padStart(digits.length, '0')
}

/** Undefined: there is no such device yet, or its file cannot be read, which its start will tell. */
function keptIdentity(plan: PrinterPlan): Identity | undefined {
  const path = storePath(plan)
  if (path === ':memory:' || !existsSync(path)) return undefined
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(path, { readOnly: true })
    const row = database.prepare(`SELECT body FROM state WHERE name = 'device'`).get()
    const { serialNumber, fiscalMemoryNumber } = JSON.parse(String(row?.['body'])) as Identity
    return { serialNumber, fiscalMemoryNumber }
  } catch {
    return undefined
  } finally {
    database?.close()
  }
}
