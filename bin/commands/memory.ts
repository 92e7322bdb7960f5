/** `fiscal-rig memory`: reads an emulated device's fiscal memory and electronic journal from its file. */

import { readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { troubleOf } from '../../drivers/host/sqlite.ts'
import { countText } from '../../drivers/model/count-text.ts'
import { messageOf } from '../../drivers/model/errors.ts'
import type { Family } from '../../drivers/model/families.ts'
import { formatMoney } from '../../drivers/model/money.ts'
import { auditMemory, testerNotes } from '../../emulator/fiscal/audit.ts'
import { type MemoryFile, readMemoryFile, type StoredRecord } from '../../emulator/fiscal/audit-file.ts'
import { memoryExport } from '../../emulator/fiscal/memory-export.ts'
import type { DeviceProfile } from '../../emulator/fiscal/types/profile.ts'
import { profileOf } from '../../emulator/profiles.ts'
import { EXIT_FAILED, EXIT_USAGE, Exit, writeOutput } from '../exit.ts'
import { io } from '../io.ts'
import { say } from '../terminal-output.ts'

interface MemoryOptions {
  readonly output?: string
  readonly json?: boolean
}

export async function memory(
  what: 'show' | 'verify' | 'export',
  folder: string,
  options: MemoryOptions,
): Promise<void> {
  const files = filesIn(folder).map((path) => ({ path, file: read(path, () => readMemoryFile(path)) }))
  switch (what) {
    case 'show':
      for (const { path, file } of files)
        print(options.json ? JSON.stringify(summaryOf(path, file)) : formatMemoryFile(path, file))
      return
    case 'verify':
      for (const { path, file } of files) verify(path, file, options)
      return
    case 'export':
      return exportAll(files, options)
  }
}

const print = (text: string): void => say(`${text}\n`)

function filesIn(place: string): readonly string[] {
  const entry = statSync(place, { throwIfNoEntry: false })
  if (!entry)
    throw new Exit(EXIT_USAGE, `${place} does not exist: expected a data folder or the file of an emulated device`)
  if (!entry.isDirectory()) return [place]
  const names = namesIn(place).filter((name) => /^device-.*\.sqlite$/.test(name))
  if (names.length === 0)
    throw new Exit(EXIT_USAGE, `${place} has no file of an emulated device (device-*.sqlite): name another data folder`)
  return names.sort().map((name) => join(place, name))
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    throw new Exit(EXIT_USAGE, `${folder} cannot be read: ${messageOf(error)}`)
  }
}

function read<T>(path: string, act: () => T): T {
  try {
    return act()
  } catch (error) {
    if (error instanceof RangeError) throw new Exit(EXIT_FAILED, error.message)
    const trouble = troubleOf(error)
    if (trouble && trouble.kind !== 'damaged') throw new Exit(EXIT_FAILED, `${path} cannot be read: ${trouble.why}`)
    throw new Exit(EXIT_FAILED, `${path} is not the file of an emulated device: ${messageOf(error)}`)
  }
}

const profileIn = ({ device }: MemoryFile, path: string): DeviceProfile =>
  read(path, () => profileOf({ family: device.family as Family, profile: device.profile }))

function verify(path: string, file: MemoryFile, { json }: MemoryOptions): void {
  const problems = auditMemory(file, profileIn(file, path))
  const notes = testerNotes(file)
  const closures = file.records.filter(({ event }) => event?.kind === 'z').length
  const sums = {
    file: basename(path),
    records: file.records.length,
    closures,
    documents: file.documents.length,
    lines: file.lines.length,
  }
  if (json) print(JSON.stringify({ ...sums, seal: file.counters.memorySeal, notes, problems }))
  else {
    const verdict = problems.length === 0 ? 'sound' : countText(problems.length, 'problem')
    print(
      `${sums.file}: ${countText(closures, 'Z record')}, ${countText(sums.documents, 'document')}, ${countText(sums.lines, 'line')}: ${verdict}`,
    )
    for (const line of [...notes, ...problems]) print(`  ${line}`)
  }
  if (problems.length > 0) io().status = EXIT_FAILED
}

function summaryOf(path: string, { device, records, documents, lines, counters }: MemoryFile): object {
  const { family, profile, serialNumber, fiscalMemoryNumber } = device
  const counts = { documents: documents.length, lines: lines.length, lastDocument: counters.lastDocument }
  return {
    file: basename(path),
    family,
    profile,
    serialNumber,
    fiscalMemoryNumber,
    ...counts,
    seal: counters.memorySeal,
    records: records.map(({ event }) => event),
  }
}

function formatMemoryFile(path: string, { device, records, documents, lines, counters }: MemoryFile): string {
  return [
    `${basename(path)}: family ${device.family}, profile ${device.profile}, serial number ${device.serialNumber}, fiscal memory ${device.fiscalMemoryNumber}`,
    ...records.map((record) => `  ${recordText(record)}`),
    `  seal of the last record: ${counters.memorySeal}`,
    `  journal: ${countText(documents.length, 'document')}, ${countText(lines.length, 'line')}`,
  ].join('\n')
}

function recordText({ id, event }: StoredRecord): string {
  switch (event?.kind) {
    case undefined:
      return `record ${id} cannot be read`
    case 'fiscalised':
      return `${event.at}  fiscalised, serial number ${event.serialNumber}, tax number ${event.taxNumber}`
    case 'taxRates':
      return `${event.at}  tax rates from Z ${event.fromZ}: ${event.rates.map((rate) => (rate === null ? '-' : `${formatMoney(rate)} %`)).join(', ')}`
    case 'header':
      return `${event.at}  header lines from Z ${event.fromZ}: ${event.lines.filter((line) => line !== '').join(', ')}`
    case 'ramReset':
      return `${event.at}  RAM reset`
    case 'tester':
      return `${event.at}  ${event.act} by a tester`
    case 'z': {
      const { number, at, receiptsCount, total, document } = event.z
      return `${at}  Z ${number}: ${countText(receiptsCount, 'receipt')}, total ${formatMoney(total)}, document ${document}`
    }
  }
}

function exportAll(files: readonly { path: string; file: MemoryFile }[], { output }: MemoryOptions): void {
  const rows = files.flatMap(({ path, file }) => memoryExport(file).map((row) => ({ file: basename(path), ...row })))
  const text = `${rows.map((row) => JSON.stringify(row)).join('\n')}\n`
  if (output === undefined) say(text)
  else writeOutput(output, text, 'data')
}
