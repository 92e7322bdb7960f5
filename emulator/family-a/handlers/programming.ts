import type { Upload } from '../../../drivers/family-a/protocol/commands/programming.ts'
import type { ByTaxGroup } from '../../fiscal/types.ts'
import { type Context, done, fail, from, type Handlers, ok, plain, type Result } from '../context.ts'
import { KEY_OF } from '../refusals.ts'

/** Programming and service: sheet 6.13. */
type Names =
  | 'taxRates'
  | 'setTaxRates'
  | 'headerLine'
  | 'invoiceRange'
  | 'setSerial'
  | 'fiscalise'
  | 'setTaxNumber'
  | 'operatorPassword'
  | 'softwarePassword'
  | 'memoryTest'
  | 'readMemory'
  | 'logo'
  | 'stampPicture'
  | 'stamp'
  | 'modemTest'
  | 'service'
  | 'cardTerminal'

const COUNTRY: Readonly<Record<Context['national'], string>> = { bg: 'BULGARIA', ro: 'ROMANIA' }
const ADMINISTRATORS = [29, 30]
const TEST_RECORDS = 16
const MEMORY_SIZE = 0x100_0000

/** Pictures: base64 pieces between START and STOP; the checksum is the sum of the decoded bytes. */
function upload({ device, wire }: Context, name: 'logo' | 'stampPicture', ask: Upload): ReturnType<Handlers['logo']> {
  const checksum = (base64: string) => {
    const bytes = Buffer.from(base64, 'base64')
    const sum = bytes.reduce((total, byte) => (total + byte) & 0xffff, 0)
    return ok({ form: 'checksum', checksum: sum.toString(16).toUpperCase().padStart(4, '0') } as const)
  }
  const begun = wire.uploads[name]
  if ('piece' in ask) {
    if (begun === undefined) return fail('regNotPossible')
    wire.uploads[name] = begun + ask.piece
    return checksum(begun + ask.piece)
  }
  switch (ask.word) {
    case 'START':
      wire.uploads[name] = ''
      return ok({ form: 'none' })
    case 'STOP':
    case 'STOPP':
      if (begun === undefined) return fail('regNotPossible')
      delete wire.uploads[name]
      device.registers.setParameter(`${name}.picture`, begun)
      return checksum(begun)
    case 'RESTART':
    case 'POWEROFF':
      delete wire.uploads[name]
      return ok({ form: 'none' })
  }
}

/** What 116 shows: the records of the fiscal memory as text from address 0, then blank cells (FFh). */
function memoryDump({ device }: Context, address: number, count: number): Result<{ dump: string }> {
  if (address + count > MEMORY_SIZE) return fail('valueField2')
  const image = Buffer.from(
    device.memory
      .events()
      .map((event) => `${JSON.stringify(event)}\n`)
      .join(''),
    'utf8',
  )
  const bytes = Buffer.alloc(count, 0xff)
  image.copy(bytes, 0, Math.min(address, image.length), Math.min(address + count, image.length))
  return ok({ dump: bytes.toString('hex').toUpperCase() })
}

export const programming: Handlers<Names> = {
  taxRates({ device }) {
    const changes = device.memory.events().filter((event) => event.kind === 'taxRates')
    const last = changes.at(-1)
    const entered = (last?.at ?? device.localTime()).slice(0, 10)
    return ok({ fromClosure: last?.fromZ ?? 1, rates: device.registers.taxRates, entered })
  },
  setTaxRates({ device }, { rates, decimals }) {
    // Whole amounts (sheet 2.8) are not modelled: the books hold hundredths.
    if (decimals === 'none') return fail('valueField9')
    const full = device.refusals.fiscalMemory()
    if (full !== undefined) return fail(KEY_OF[full])
    const outcome = device.registers.setTaxRates(rates as unknown as ByTaxGroup<number | null>)
    return from(outcome, ({ changesLeft }) => ({ changesLeft }))
  },
  headerLine({ device, profile }, { line, text }) {
    if (text.length > profile.lineWidth) return fail('valueField2')
    device.registers.setHeader(line, text)
    return done
  },
  invoiceRange({ device }, { first, second }) {
    const { registers } = device
    const before = registers.invoiceRange
    const answer = () => {
      const range = registers.invoiceRange
      return ok({ start: range?.start ?? 0, end: range?.end ?? 0, current: range?.next ?? 0 })
    }
    if (first === undefined) return answer()
    if (second === undefined) {
      if (!before) return fail('noInvoiceRange')
      if (first < before.next) return fail('valueField1')
      registers.setInvoiceRange({ start: before.start, end: first })
      return answer()
    }
    // A new start only when the old range is used up.
    if (before && before.next <= before.end) return fail('notPermitted')
    if (second < first) return fail('valueField2')
    registers.setInvoiceRange({ start: first, end: second })
    return answer()
  },
  setSerial({ profile, national }, { serialNumber, fiscalMemoryNumber }) {
    if (profile.serialNumber !== '') return fail('needJumper')
    if (serialNumber === '' || fiscalMemoryNumber === '') return fail('badSerial')
    return ok({ country: COUNTRY[national] })
  },
  fiscalise({ device, profile }, { serialNumber, taxNumber }) {
    if (device.fiscalised) return fail('alreadyFiscalised')
    if (serialNumber !== profile.serialNumber) return fail('badSerial')
    return from(device.fiscalise(serialNumber, taxNumber), plain)
  },
  setTaxNumber({ device }, { taxNumber }) {
    if (device.fiscalised) return fail('needService')
    device.registers.setTaxNumber(taxNumber)
    return done
  },
  operatorPassword({ device }, { operator: code, old = '', password }) {
    const { registers } = device
    const operator = registers.operator(code)
    if (!operator) return fail('valueField1')
    const allowed = [operator, ...ADMINISTRATORS.map((each) => registers.operator(each))]
    if (!allowed.some((each) => each?.password === old)) return fail('wrongPassword')
    registers.setOperator({ ...operator, password })
    return done
  },
  softwarePassword({ device, wire }, { password, changed }) {
    const kept = device.registers.parameter('softwarePassword') ?? ''
    if (kept !== password) return fail('wrongPassword')
    if (changed !== undefined) device.registers.setParameter('softwarePassword', changed ?? '')
    wire.unlocked = true
    return done
  },
  memoryTest({ device }, { write = false }) {
    const used = Number(device.registers.parameter('testRecords') ?? '0')
    if (write && used >= TEST_RECORDS) return fail('fmMaxBlocks')
    if (write) device.registers.setParameter('testRecords', String(used + 1))
    return ok({ left: TEST_RECORDS - used - (write ? 1 : 0) })
  },
  readMemory: (context, { address, count }) => memoryDump(context, Number.parseInt(address, 16), count),
  logo: (context, ask) => upload(context, 'logo', ask),
  stampPicture: (context, ask) => upload(context, 'stampPicture', ask),
  stamp({ device }, { action, name }) {
    if (device.registers.parameter('stampPicture.picture') === undefined) return fail('notFound')
    if (action === 'rename') {
      device.registers.setParameter('stampPicture.name', name)
      return done
    }
    const known = device.registers.parameter('stampPicture.name') ?? name
    if (known !== name) return fail('notFound')
    return from(device.printReport('service', [{ text: `[${name}]`, alignment: 'center' }]), plain)
  },
  modemTest(_, { what }) {
    const texts = { sim: '8940000000000000000', imei: '350000000000000', modem: 'MODEM 1.0' } as const
    return ok({ text: texts[what] })
  },
  service: () => fail('needJumper'),
  // No terminal is configured (sheet 6.13).
  cardTerminal: () => fail('pinpadNotConfigured'),
}
