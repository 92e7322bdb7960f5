import { describe, expect, it } from 'vitest'
import { FAMILIES } from '../../drivers/families.ts'
import { emulatedFamilies } from '../../emulator/families.ts'
import { PlainStore } from '../../emulator/fiscal/plain-store.ts'
import type { Query, Row } from '../../emulator/fiscal/store.ts'
import type { Table } from '../../emulator/fiscal/tables.ts'
import { questionnaireFor } from '../../emulator/passport/passport-device.ts'
import type { EmulatedFamily } from '../../emulator/wire.ts'
import { startWire } from '../support/rig.ts'
import { ok } from './plain-device.ts'

class CountingStore extends PlainStore {
  rowsRead = 0

  override rows(table: Table, query?: Query): readonly Row[] {
    const rows = super.rows(table, query)
    this.rowsRead += rows.length
    return rows
  }
}

const OF_ALL: Readonly<Record<string, readonly string[]>> = { A: ['journalSearch', 'readMemory'] }

/**
 * Returns the number of rows that each valid request of each command reads on a device with this number of closures.
 */
function rowsRead(family: EmulatedFamily, profile: string, closures: number) {
  const q = questionnaireFor(family, profile)
  const store = new CountingStore()
  const { device, messages } = startWire(family, { profile, device: { store } })
  for (let closure = 0; closure < closures; closure++) ok(device.reportZ())
  let number = q.numbers.first
  return q.catalogue.all.flatMap((command) =>
    (q.examples[command.name] ?? []).map((data) => {
      const before = store.rowsRead
      messages(q.writeRequest({ number: number++, code: command.code, data }))
      return { command: command.name, rows: store.rowsRead - before }
    }),
  )
}

describe.each(FAMILIES)('a large number of documents in a device of family %s', (name) => {
  const family = emulatedFamilies.get(name) as EmulatedFamily

  it.each(family.profiles)('slows down no command of profile %s', (profile) => {
    const young = rowsRead(family, profile, 3)
    const old = rowsRead(family, profile, 60)
    const slowed = old.filter(({ rows }, at) => rows > (young[at]?.rows ?? 0)).map(({ command }) => command)
    expect([...new Set(slowed)]).toEqual(OF_ALL[name] ?? [])
  })
})
