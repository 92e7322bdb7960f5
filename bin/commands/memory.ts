/** `fiscal-rig memory show|verify|export DIR`: an emulated device's fiscal memory and journal, read without the device. */
import { readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { messageOf } from '../../drivers/model/errors.ts'
import type { Family } from '../../drivers/model/families.ts'
import { formatMoney } from '../../drivers/model/money.ts'
import { auditMemory } from '../../emulator/fiscal/audit.ts'
import { type MemoryFile, readMemoryFile } from '../../emulator/fiscal/audit-file.ts'
import type { FiscalMemoryEvent } from '../../emulator/fiscal/types/day.ts'
import type { DeviceProfile } from '../../emulator/fiscal/types/profile.ts'
import { profileOf } from '../../emulator/profiles.ts'
import { EXIT_FAILED, EXIT_USAGE, Exit, writeOutput } from '../exit.ts'
import { io } from '../io.ts'
import { say } from '../say.ts'

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
        print(options.json ? JSON.stringify(summaryOf(path, file)) : shownText(path, file))
      return
    case 'verify':
      for (const { path, file } of files) verify(path, file, options)
      return
    case 'export':
      return exportAll(files, options)
  }
}

const print = (text: string): void => say(`${text}\n`)

/** The devices of a data folder, or the one file that is named. */
function filesIn(place: string): readonly string[] {
  const entry = statSync(place, { throwIfNoEntry: false })
  if (!entry) throw new Exit(EXIT_USAGE, `${place}: expected a data folder or the file of a device`)
  if (!entry.isDirectory()) return [place]
  const names = readdirSync(place).filter((name) => /^device-.*\.sqlite$/.test(name))
  if (names.length === 0) throw new Exit(EXIT_USAGE, `${place}: there is no emulated device in it`)
  return names.sort().map((name) => join(place, name))
}

function read<T>(path: string, act: () => T): T {
  try {
    return act()
  } catch (error) {
    throw new Exit(EXIT_FAILED, `${path} is not the file of an emulated device: ${messageOf(error)}`)
  }
}

const profileIn = ({ device }: MemoryFile, path: string): DeviceProfile =>
  read(path, () => profileOf({ family: device.family as Family, profile: device.profile }))

function verify(path: string, file: MemoryFile, { json }: MemoryOptions): void {
  const problems = auditMemory(file, profileIn(file, path))
  const closures = file.records.filter(({ event }) => event.kind === 'z').length
  const sums = {
    file: basename(path),
    records: file.records.length,
    closures,
    documents: file.documents.length,
    lines: file.lines.length,
  }
  if (json) print(JSON.stringify({ ...sums, problems }))
  else {
    const verdict =
      problems.length === 0 ? 'sound' : `${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}`
    print(`${sums.file}: ${closures} Z records, ${sums.documents} documents, ${sums.lines} lines: ${verdict}`)
    for (const problem of problems) print(`  ${problem}`)
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
    records: records.map(({ event }) => event),
  }
}

function shownText(path: string, { device, records, documents, lines }: MemoryFile): string {
  return [
    `${basename(path)}: family ${device.family}, profile ${device.profile}, serial number ${device.serialNumber}, fiscal memory ${device.fiscalMemoryNumber}`,
    ...records.map(({ event }) => `  ${recordText(event)}`),
    `  journal: ${documents.length} documents, ${lines.length} lines`,
  ].join('\n')
}

function recordText(event: FiscalMemoryEvent): string {
  switch (event.kind) {
    case 'fiscalised':
      return `${event.at}  fiscalised, serial number ${event.serialNumber}, tax number ${event.taxNumber}`
    case 'taxRates':
      return `${event.at}  tax rates from Z ${event.fromZ}: ${event.rates.map((rate) => (rate === null ? '-' : `${formatMoney(rate)} %`)).join(', ')}`
    case 'header':
      return `${event.at}  header lines from Z ${event.fromZ}: ${event.lines.filter((line) => line !== '').join(', ')}`
    case 'ramReset':
      return `${event.at}  RAM reset`
    case 'z': {
      const { number, at, receiptsCount, total, document } = event.z
      return `${at}  Z ${number}: ${receiptsCount} receipts, total ${formatMoney(total)}, document ${document}`
    }
  }
}

/** One JSON line a record: fiscal memory first, then the journal. */
function exportAll(files: readonly { path: string; file: MemoryFile }[], { output }: MemoryOptions): void {
  const rows = files.flatMap(({ path, file }) => [
    { file: basename(path), type: 'device', ...file.device },
    ...file.records.map(({ id, event }) => ({ file: basename(path), type: 'record', id, ...event })),
    ...file.documents.map((document) => ({ file: basename(path), type: 'document', ...document })),
    ...file.lines.map((line) => ({ file: basename(path), type: 'line', ...line })),
  ])
  const text = `${rows.map((row) => JSON.stringify(row)).join('\n')}\n`
  if (output === undefined) say(text)
  else writeOutput(output, text, 'data')
}
