/** Programming and service (sheet 6.13). */
import type { Upload } from '../../../drivers/family-a/protocol/commands/programming.ts'
import type { ByTaxGroup } from '../../fiscal/types/registers.ts'
import { type Context, done, from, type Handlers, type Reply, refused } from '../context.ts'
import { REASONS } from '../refusals.ts'
import type { Picture } from '../session.ts'

const ADMINISTRATORS = [29, 30]
const SCHOOL = 3
const TEST_RECORDS = 16
/** Maximum number of header changes; also the limit for changes of the tax rates (sheet 9.1, command 43 `I`). */
const HEADER_CHANGES = 30
const MEMORY_SIZE = 0x100_0000

/**
 * Receives a picture as Base64 pieces between START and STOP. The checksum is the sum of the decoded bytes modulo
 * 10000h.
 */
function upload({ session }: Context, name: Picture, ask: Upload): ReturnType<Handlers['logo']> {
  const checksum = (base64: string) => {
    const bytes = Buffer.from(base64, 'base64')
    const sum = bytes.reduce((total, byte) => (total + byte) & 0xffff, 0)
    return done({ form: 'checksum', checksum: sum.toString(16).toUpperCase().padStart(4, '0') } as const)
  }
  const begun = session.uploads[name]
  if ('piece' in ask) {
    if (begun === undefined) return refused('regNotPossible')
    session.uploads[name] = begun + ask.piece
    return checksum(begun + ask.piece)
  }
  switch (ask.word) {
    case 'START':
      session.uploads[name] = ''
      return done({ form: 'none' })
    case 'STOP':
    case 'STOPP':
      if (begun === undefined) return refused('regNotPossible')
      delete session.uploads[name]
      session.persistentCells.pictures = { ...session.persistentCells.pictures, [name]: begun }
      return checksum(begun)
    case 'RESTART':
    case 'POWEROFF':
      delete session.uploads[name]
      return done({ form: 'none' })
  }
}

/** Removes the mark `^` of a print style (sheet 9.1), which the emulator does not draw. */
export const withoutStyle = (text: string): string => text.replace(/\^(?=\S)/g, '')

/** The dump contains the records of the fiscal memory as text, from address 0, followed by blank cells (FFh). */
function memoryDump({ device }: Context, address: number, count: number): Reply<{ dump: string }> {
  if (address + count > MEMORY_SIZE) return refused('valueField2')
  const image = Buffer.from(
    device.memory
      .events()
      .map((event) => `${JSON.stringify(event)}\n`)
      .join(''),
    'utf8',
  )
  const bytes = Buffer.alloc(count, 0xff)
  bytes.set(image.subarray(address, address + count))
  return done({ dump: bytes.toString('hex').toUpperCase() })
}

export const programming = {
  taxRates({ device, edition }) {
    const changes = device.memory.eventsOf('taxRates')
    const last = changes.at(-1)
    const entered = (last?.at ?? device.localTime()).slice(0, edition.name === 'ro' ? 19 : 10)
    const rates = device.registers.taxRates.slice(0, edition.taxGroups)
    return done({ fromClosure: last?.fromZ ?? 1, rates, entered })
  },
  setTaxRates({ device }, { rates, decimals }) {
    // Whole amounts (sheet 2.8) are not modelled, because the books use hundredths.
    if (decimals === 'none') return refused('valueField9')
    const full = device.refusals.fiscalMemory()
    if (full !== undefined) return refused(REASONS[full])
    const before = device.registers.taxRates
    const all = before.map((rate, index) => (rates[index] === undefined ? rate : rates[index]))
    const outcome = device.registers.setTaxRates(all as unknown as ByTaxGroup<number | null>)
    return from(outcome, ({ changesLeft }) => ({ changesLeft }))
  },
  headerLine({ device, session }, ask) {
    const { registers, memory } = device
    const records = memory.eventsOf('header')
    switch (ask.option) {
      case 'I':
        return done({
          form: 'room',
          changes: records.length,
          maxChanges: HEADER_CHANGES,
          maxLines: device.profile.headerLines,
        })
      case 'B':
        return done({ form: 'text', text: registers.header[ask.line - 1] ?? '' })
      case 'R': {
        const record = records[ask.record - 1]
        const text = record?.lines[ask.line - 1] ?? ''
        return record
          ? done({ form: 'record', text, closure: record.fromZ, at: record.at.slice(0, 19) })
          : refused('notFound')
      }
      case 'W': {
        const { line, text = '' } = ask
        if (line !== undefined) {
          const plain = withoutStyle(text)
          if (plain.length > device.profile.lineWidth) return refused('valueField3')
          session.headerBuffer = { ...session.headerBuffer, [line - 1]: plain }
          return done({ form: 'none' })
        }
        if (records.length >= HEADER_CHANGES) return refused('notPossible')
        const lines = registers.header.map((before, place) => session.headerBuffer[place] ?? before)
        const written = registers.writeHeader(lines)
        if (written.ok) session.headerBuffer = {}
        return from(written, () => ({ form: 'none' }) as const)
      }
    }
  },
  invoiceRange({ device }, { first, second }) {
    const { registers } = device
    const before = registers.invoiceRange
    const answer = () => {
      const range = registers.invoiceRange
      return done({ start: range?.start ?? 0, end: range?.end ?? 0, current: range?.next ?? 0 })
    }
    if (first === undefined) return answer()
    if (second === undefined) {
      if (!before) return refused('noInvoiceRange')
      if (first < before.next) return refused('valueField1')
      registers.setInvoiceRange({ start: before.start, end: first })
      return answer()
    }
    // A new range is accepted only after the old one has been used up.
    if (before && before.next <= before.end) return refused('notPermitted')
    if (second < first) return refused('valueField2')
    registers.setInvoiceRange({ start: first, end: second })
    return answer()
  },
  setSerial({ device, edition }, { serialNumber, fiscalMemoryNumber }) {
    if (device.profile.serialNumber !== '') return refused('needJumper')
    if (serialNumber === '' || fiscalMemoryNumber === '') return refused('badSerial')
    return done({ country: edition.country })
  },
  fiscalise({ device }, { serialNumber, fiscalMemoryNumber, taxNumber, vatRegistered = true }) {
    if (device.fiscalised) return refused('alreadyFiscalised')
    const { profile, registers } = device
    // A device that is not fiscalised reports another serial number than its own. It accepts both.
    const serialNumbers = [profile.serialNumber, device.numbers.serialNumber]
    if (serialNumber !== undefined && !serialNumbers.includes(serialNumber)) return refused('badSerial')
    if (fiscalMemoryNumber !== undefined && fiscalMemoryNumber !== profile.fiscalMemoryNumber) {
      return refused('fmMismatch')
    }
    const outcome = device.fiscalise(profile.serialNumber, taxNumber)
    if (outcome.ok && !vatRegistered) registers.setParameter('UserIsVatRegistered', '0')
    return from(outcome)
  },
  setTaxNumber({ device }, { taxNumber }) {
    if (device.fiscalised) return refused('needService')
    device.registers.setTaxNumber(taxNumber)
    return done()
  },
  operatorPassword({ device }, { operator: code, old = '', password }) {
    const { registers } = device
    const operator = registers.operator(code)
    if (!operator) return refused('valueField1')
    const allowed = [operator, ...ADMINISTRATORS.map((each) => registers.operator(each))]
    if (!allowed.some((each) => each?.password === old)) return refused('wrongPassword')
    registers.setOperator({ ...operator, password })
    return done()
  },
  softwarePassword({ session }, { password, changed }) {
    const { persistentCells } = session
    if (persistentCells.softwarePassword !== password) return refused('wrongPassword')
    if (changed !== undefined) persistentCells.softwarePassword = changed ?? ''
    session.unlocked = true
    return done()
  },
  memoryTest({ session: { persistentCells } }, { write = false }) {
    if (write && persistentCells.testRecords >= TEST_RECORDS) return refused('fmMaxBlocks')
    if (write) persistentCells.testRecords++
    return done({ left: TEST_RECORDS - persistentCells.testRecords })
  },
  readMemory: (context, { address, count }) => memoryDump(context, Number.parseInt(address, 16), count),
  logo: (context, ask) => upload(context, 'logo', ask),
  stampPicture: (context, ask) => upload(context, 'stampPicture', ask),
  stamp({ device, session: { persistentCells } }, { action, name }) {
    if (persistentCells.pictures.stampPicture === undefined) return refused('notFound')
    if (action === 'rename') {
      persistentCells.stampName = name
      return done()
    }
    if ((persistentCells.stampName ?? name) !== name) return refused('notFound')
    return from(device.printReport('service', [{ text: `[${name}]`, alignment: 'center' }]))
  },
  modemTest(_, { what }) {
    const texts = { sim: '8940000000000000000', imei: '350000000000000', modem: 'MODEM 1.0' } as const
    return done({ text: texts[what] })
  },
  service: () => refused('needJumper'),
  servicePassword({ session: { persistentCells } }, ask) {
    // A factory reset requires the service jumper, which the emulated device does not have.
    if (ask.option === '3') return refused('needJumper')
    if ((ask.option === '1' ? ask.old : ask.password) !== persistentCells.servicePassword)
      return refused('wrongPassword')
    if (ask.option === '1') persistentCells.servicePassword = ask.password
    return done()
  },
  mode({ device, session }, { mode }) {
    session.persistentCells.mode = mode
    device.registers.setSchool(mode === SCHOOL)
    return done({ mode })
  },
  // No terminal is configured (sheet 6.13).
  cardTerminal: () => refused('pinpadNotConfigured'),
} satisfies Partial<Handlers>
