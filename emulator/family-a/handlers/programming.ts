import type { Upload } from '../../../drivers/family-a/protocol/commands/programming.ts'
import type { ByTaxGroup } from '../../fiscal/types/registers.ts'
import { type Context, done, from, type Handlers, type Reply, refused } from '../context.ts'
import { REASONS } from '../refusals.ts'
import type { Picture } from '../session.ts'

/** Programming and service: sheet 6.13. */
const ADMINISTRATORS = [29, 30]
const TEST_RECORDS = 16
const MEMORY_SIZE = 0x100_0000

/** Pictures: base64 pieces between START and STOP; the checksum is the sum of the decoded bytes. */
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
      session.lasting.pictures = { ...session.lasting.pictures, [name]: begun }
      return checksum(begun)
    case 'RESTART':
    case 'POWEROFF':
      delete session.uploads[name]
      return done({ form: 'none' })
  }
}

/** What 116 shows: the records of the fiscal memory as text from address 0, then blank cells (FFh). */
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
  image.copy(bytes, 0, Math.min(address, image.length), Math.min(address + count, image.length))
  return done({ dump: bytes.toString('hex').toUpperCase() })
}

export const programming = {
  taxRates({ device }) {
    const changes = device.memory.events().filter((event) => event.kind === 'taxRates')
    const last = changes.at(-1)
    const entered = (last?.at ?? device.localTime()).slice(0, 10)
    return done({ fromClosure: last?.fromZ ?? 1, rates: device.registers.taxRates, entered })
  },
  setTaxRates({ device }, { rates, decimals }) {
    // Whole amounts (sheet 2.8) are not modelled: the books hold hundredths.
    if (decimals === 'none') return refused('valueField9')
    const full = device.refusals.fiscalMemory()
    if (full !== undefined) return refused(REASONS[full])
    const outcome = device.registers.setTaxRates(rates as unknown as ByTaxGroup<number | null>)
    return from(outcome, ({ changesLeft }) => ({ changesLeft }))
  },
  headerLine({ device }, { line, text }) {
    if (text.length > device.profile.lineWidth) return refused('valueField2')
    device.registers.setHeader(line, text)
    return done()
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
    // A new start only when the old range is used up.
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
  fiscalise({ device }, { serialNumber, taxNumber }) {
    if (device.fiscalised) return refused('alreadyFiscalised')
    if (serialNumber !== device.profile.serialNumber) return refused('badSerial')
    return from(device.fiscalise(serialNumber, taxNumber))
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
    const { lasting } = session
    if (lasting.softwarePassword !== password) return refused('wrongPassword')
    if (changed !== undefined) lasting.softwarePassword = changed ?? ''
    session.unlocked = true
    return done()
  },
  memoryTest({ session: { lasting } }, { write = false }) {
    if (write && lasting.testRecords >= TEST_RECORDS) return refused('fmMaxBlocks')
    if (write) lasting.testRecords++
    return done({ left: TEST_RECORDS - lasting.testRecords })
  },
  readMemory: (context, { address, count }) => memoryDump(context, Number.parseInt(address, 16), count),
  logo: (context, ask) => upload(context, 'logo', ask),
  stampPicture: (context, ask) => upload(context, 'stampPicture', ask),
  stamp({ device, session: { lasting } }, { action, name }) {
    if (lasting.pictures.stampPicture === undefined) return refused('notFound')
    if (action === 'rename') {
      lasting.stampName = name
      return done()
    }
    if ((lasting.stampName ?? name) !== name) return refused('notFound')
    return from(device.printReport('service', [{ text: `[${name}]`, alignment: 'center' }]))
  },
  modemTest(_, { what }) {
    const texts = { sim: '8940000000000000000', imei: '350000000000000', modem: 'MODEM 1.0' } as const
    return done({ text: texts[what] })
  },
  service: () => refused('needJumper'),
  // No terminal is configured (sheet 6.13).
  cardTerminal: () => refused('pinpadNotConfigured'),
} satisfies Partial<Handlers>
