import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SerialPort as RealSerialPort } from 'serialport'
import { afterEach, describe, expect, it } from 'vitest'
import {
  type FamilyName,
  type Printer,
  type PrinterOptions,
  type Receipt,
  startPrinter,
  startService,
} from '../../bin/library.ts'
import { emulatedFamilies } from '../../emulator/families.ts'
import { buildHostA } from '../frame-builders/frames-a.ts'
import { startModule } from '../support/command.ts'

const FAMILIES = [...emulatedFamilies.keys()] as FamilyName[]

const started: Printer[] = []
async function printerOf(options: Partial<PrinterOptions> = {}): Promise<Printer> {
  const printer = await startPrinter({ family: 'A', ...options } as PrinterOptions)
  started.push(printer)
  return printer
}
afterEach(async () => {
  for (const printer of started.splice(0)) await printer.close()
})

/**
 * The sequence number is counted over all ports. The device considers a frame with the previous number a
 * retransmission, whichever program sends it.
 */
let number = 0x20

/** The client waits for each complete response. */
function speaker(printer: Printer) {
  const port = new printer.SerialPort({ path: printer.path, baudRate: 115_200 })
  return {
    port,
    say: (command: number, data: string) =>
      new Promise<string>((resolve) => {
        let received = ''
        const listen = (bytes: Buffer) => {
          received += bytes.toString('latin1')
          if (!received.endsWith('\x03')) return
          port.off('data', listen)
          resolve(received)
        }
        port.on('data', listen)
        number = number === 0x7f ? 0x20 : number + 1
        port.write(Buffer.from(buildHostA(number, command, data)))
      }),
    close: () => new Promise<void>((resolve) => port.close(() => resolve())),
  }
}

const OPEN = [48, '1\t0000\t1\t\t'] as const
const SALE = [49, 'Tea\t1\t1.20\t2.000\t\t\t0\t'] as const
const PAY = [53, '0\t5.00\t\t'] as const
const CLOSE = [56, ''] as const
const CANCEL = [60, ''] as const

async function sellTea(printer: Printer): Promise<void> {
  const { say, close } = speaker(printer)
  for (const [command, data] of [OPEN, SALE, PAY, CLOSE]) await say(command, data)
  await close()
}

const TEA: Omit<Receipt, 'number' | 'at'> = {
  kind: 'fiscal',
  total: '2.40',
  rows: [{ name: 'Tea', price: '1.20', quantity: '2.000', amount: '2.40', taxCode: 1 }],
  payments: [{ paymentMode: 0, amount: '5.00' }],
  cancelled: false,
}

describe('the printer of the library, for a program,', () => {
  it("has serialport's own class on the binding of the device", async () => {
    const printer = await printerOf({ clock: '2026-03-01T08:00:00' })
    const { port, say, close } = speaker(printer)
    await say(74, '')
    await close()
    expect(port).toBeInstanceOf(printer.SerialPort)
    expect(printer.SerialPort.binding).toBe(printer.binding)
    expect(await printer.SerialPort.list()).toMatchObject([{ path: printer.path, serialNumber: printer.serialNumber }])
    await sellTea(printer)
    expect(printer.receipts()).toEqual([{ ...TEA, number: 1, at: '2026-03-01T08:00:00' }])
  })

  it('replaces SerialPort in a program that accepts the class', async () => {
    const printer = await printerOf()
    class Till extends printer.SerialPort {
      readonly name = 'till'
    }
    const used: Pick<typeof RealSerialPort, 'list'> & (new (options: never) => InstanceType<typeof RealSerialPort>) =
      Till as never
    expect(await used.list()).toHaveLength(1)
    const till = new Till({ path: printer.path, baudRate: 9600, autoOpen: false })
    expect(till).toBeInstanceOf(Till)
    expect(till.name).toBe('till')
    expect(till.isOpen).toBe(false)
  })

  it('can be a device on TCP', async () => {
    const printer = await printerOf()
    const { host, port } = await printer.listen({ port: 0 })
    const answer = await new Promise<Buffer>((resolve, reject) => {
      const socket = connect(port, host, () => socket.write(buildHostA(0x21, 74, '')))
      socket.once('error', reject)
      socket.once('data', (bytes) => {
        socket.destroy()
        resolve(bytes)
      })
    })
    expect(answer.at(-1)).toBe(0x03)
  })

  it('can be a device on a pty, whose link is removed with the printer', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fiscal-rig-library-'))
    try {
      const printer = await printerOf()
      const link = await printer.link(join(folder, 'printer-a'))
      expect(existsSync(link)).toBe(true)
      await printer.close()
      expect(existsSync(link)).toBe(false)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  it.each(FAMILIES)('can have the REST service over a device of family %s', async (family) => {
    const printer = await printerOf({ family, articles: [{ plu: 7, name: 'Coffee', taxCode: 1, price: '2.50' }] })
    await using service = await startService({ printer })
    expect(service.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api$/)
    expect(service.https).toBeUndefined()
    const response = await fetch(`${service.url}/print-fiscal-receipt`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ ReceiptItems: [{ Type: 1, PluSale: { PluNumber: 7, Quantity: 2 } }] }),
    })
    expect(await response.json()).toMatchObject({ StatusCode: 200 })
    expect(printer.receipts()).toMatchObject([{ total: '5.00', rows: [{ name: 'Coffee', quantity: '2.000' }] }])
  })

  it('has HTTPS on request', async () => {
    await using service = await startService({ printer: await printerOf(), https: true })
    expect(service.https).toMatch(/^https:\/\/.+\/api$/)
    expect(service.ca).toContain('BEGIN CERTIFICATE')
  })
})

describe('the observation of a printer from a test', () => {
  it('includes receipts, papers, journal, sums, Z reports and frames', async () => {
    const printer = await printerOf()
    await sellTea(printer)
    expect(printer.day).toMatchObject({ total: '2.40', drawerCash: '2.40' })
    expect(printer.documents()).toMatchObject([{ kind: 'fiscal', total: '2.40' }])
    const id = printer.documents()[0]?.id ?? 0
    expect(printer.paper(id).split('\n')).toEqual(printer.documents()[0]?.text)
    expect(await printer.paper(id, 'svg')).toMatch(/^<svg/)
    expect(
      Buffer.from(await printer.paper(id, 'png'))
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG')
    expect(printer.journal().map(({ line }) => line)).toEqual(expect.arrayContaining([expect.stringContaining('Tea')]))
    expect(printer.frames().map(({ direction }) => direction)).toContain('toHost')
    expect(printer.display).toHaveLength(2)
    const { say, close } = speaker(printer)
    await say(69, 'Z\t')
    await close()
    expect(printer.zReports()).toMatchObject([{ number: 1, total: '2.40' }])
    expect(printer.day.total).toBe('0.00')
  })

  it('distinguishes a cancelled receipt from a closed receipt', async () => {
    const printer = await printerOf()
    const { say, close } = speaker(printer)
    for (const [command, data] of [OPEN, SALE, CANCEL]) await say(command, data)
    await close()
    expect(printer.receipts()).toMatchObject([{ number: 1, cancelled: true }])
  })

  it('includes events of documents, frames, the display and faults, until the listener is removed', async () => {
    const printer = await printerOf()
    const events: string[] = []
    const stops = [
      printer.on('document', ({ kind }) => events.push(kind)),
      printer.on('frame', ({ command, direction }) => direction === 'toDevice' && events.push(command)),
      printer.on('display', ([line]) => events.push(`display ${line?.trim()}`)),
      printer.on('fault', ({ what }) => events.push(what)),
    ]
    const fault = printer.fault({ at: 'command.after', on: 'closeFiscal', times: 1, do: { busyMs: 1 } })
    await sellTea(printer)
    const { say, close } = speaker(printer)
    await say(47, 'HELLO\t')
    await close()
    expect(events).toEqual(
      expect.arrayContaining(['fiscal', 'openFiscal', 'sale', 'payment', 'closeFiscal', 'busyMs 1']),
    )
    expect(events).toContain('display HELLO')
    expect(fault.hits).toBe(1)
    fault.remove()
    expect(fault.hits).toBe(1)
    for (const stop of stops) stop()
    events.length = 0
    await sellTea(printer)
    expect(events).toEqual([])
  })

  it('waits for the next document', async () => {
    const printer = await printerOf()
    const next = printer.nextDocument({ within: 60_000 })
    await sellTea(printer)
    expect(await next).toMatchObject({ kind: 'fiscal', total: '2.40' })
  })

  it('names the open receipt if no document is printed', async () => {
    const printer = await printerOf()
    await expect(printer.nextDocument({ within: 0 })).rejects.toThrow(
      'no document was printed within 0 ms: no receipt is open; the device received no commands',
    )
    const { say, close } = speaker(printer)
    await say(...OPEN)
    await say(...SALE)
    await close()
    printer.setCover(true)
    await expect(printer.nextDocument({ within: 0 })).rejects.toThrow(
      'a fiscal receipt is open (document 1, items 1, total 2.40, paid 0.00); the cover is open',
    )
  })

  it('ends its wait when the printer is closed', async () => {
    const printer = await printerOf()
    const next = printer.nextDocument()
    await printer.close()
    await expect(next).rejects.toThrow('the printer was closed before a document was printed')
  })

  it('causes no second failure in a test that has failed before its wait', async () => {
    const library = join(import.meta.dirname, '..', '..', 'bin', 'library.ts')
    const source = `
      import { startPrinter } from ${JSON.stringify(library)}
      const printer = await startPrinter({ family: 'A' })
      printer.nextDocument({ within: 0 })
      printer.nextDocument()
      await printer.close()
      setTimeout(() => process.stdout.write('went on'), 1)`
    expect(await startModule(source).ended).toEqual({ status: 0, out: 'went on', err: '' })
  })
})

describe('the control of a printer from a test', () => {
  it('covers paper, cover, power and cable', async () => {
    const printer = await printerOf()
    const { say, close } = speaker(printer)
    printer.setPaper('out')
    expect(await say(...OPEN)).toContain('-112006')
    printer.setPaper('ok')
    printer.setPower(false)
    printer.setPower(true)
    expect(await say(...OPEN)).toContain('0\t1\t')
    await close()
    await printer.setCable(false)
    expect(await printer.SerialPort.list()).toEqual([])
    await printer.setCable(true)
    expect(await printer.SerialPort.list()).toHaveLength(1)
  })

  it('moves a clock that does not run by itself', async () => {
    const printer = await printerOf({ clock: '2026-03-01T08:00:00' })
    await sellTea(printer)
    printer.advance('PT23H')
    await sellTea(printer)
    expect(printer.receipts().map(({ at }) => at)).toEqual(['2026-03-01T08:00:00', '2026-03-02T07:00:00'])
  })

  it('includes the time of commands on that clock', async () => {
    const printer = await printerOf({ clock: '2026-03-01T08:00:00' })
    printer.fault({ at: 'command.before', on: 'openFiscal', times: 1, do: { busyMs: 2000 } })
    await sellTea(printer)
    expect(printer.receipts()).toMatchObject([{ at: '2026-03-01T08:00:02' }])
  })

  it('moves the clock of a device that has the time of the computer', async () => {
    const printer = await printerOf()
    await sellTea(printer)
    printer.advance('PT12H')
    await sellTea(printer)
    const [before, after] = printer.receipts().map(({ at }) => Date.parse(`${at}Z`))
    expect(Number(after) - Number(before)).toBeGreaterThanOrEqual(12 * 3_600_000)
  })

  it('restores the state of another printer of its kind only', async () => {
    const [one, other, third] = [await printerOf(), await printerOf(), await printerOf({ profile: 'ro' })]
    await sellTea(one)
    other.restore(one.snapshot())
    expect(other.receipts()).toEqual(one.receipts())
    expect(() => third.restore(one.snapshot())).toThrow('the snapshot is of A bg, this device is A ro')
  })

  it('restarts the printer with its options', async () => {
    const printer = await printerOf({
      articles: [{ plu: 1, name: 'Coffee', taxCode: 1, price: 2.5 }],
      faults: [{ at: 'link.toHost', on: 'readArticle', do: 'drop' }],
    })
    await sellTea(printer)
    expect(printer.documents()).toHaveLength(1)
    printer.fault({ at: 'command.before', on: 'openFiscal', do: 'refuse' })
    await sellTea(printer)
    expect(printer.receipts()).toHaveLength(1)
    printer.reset()
    expect(printer.documents()).toEqual([])
    expect(printer.snapshot().tables['articles']).toContainEqual(expect.objectContaining({ plu: 1, name: 'Coffee' }))
    await sellTea(printer)
    expect(printer.receipts()).toHaveLength(1)
  })

  it('sets tax rates', async () => {
    const printer = await printerOf({ taxRates: { A: '19.5', B: null } })
    const { say, close } = speaker(printer)
    await say(...OPEN)
    expect(await say(49, 'Tea\t2\t1.20\t\t\t\t0\t')).toContain('-11')
    for (const [command, data] of [SALE, PAY, CLOSE]) await say(command, data)
    await close()
    expect(printer.paper(1)).toContain('19.50%')
  })
})

describe('a printer of the library', () => {
  it('does not affect nineteen others in the process', async () => {
    const printers = await Promise.all(Array.from({ length: 20 }, () => printerOf()))
    await sellTea(printers[3] as Printer)
    expect(printers.map((one) => one.receipts().length)).toEqual(printers.map((_, index) => (index === 3 ? 1 : 0)))
  })

  it('is closed by `await using`, and may be closed twice', async () => {
    let disposed: Printer
    {
      await using printer = await startPrinter({ family: 'C' })
      disposed = printer
    }
    await disposed.close()
    expect(() => disposed.receipts()).toThrow('the printer is closed')
    await expect(disposed.listen({ port: 0 })).rejects.toThrow('the printer is closed')
  })

  it('closes the services over it', async () => {
    const printer = await printerOf()
    const { url, close } = await startService({ printer })
    await printer.close()
    await expect(fetch(url)).rejects.toThrow()
    await close()
  })

  it('leaves nothing that keeps a process alive, and prints no warning', async () => {
    const library = join(import.meta.dirname, '..', '..', 'bin', 'library.ts')
    const source = `
      import { startPrinter, startService } from ${JSON.stringify(library)}
      const printer = await startPrinter({ family: 'B', realistic: true, baud: 115200 })
      await printer.listen({ port: 0 })
      printer.nextDocument().catch(() => undefined)
      const { url } = await startService({ printer })
      await (await fetch(url + '/ask-for-device-information')).text()
      await printer.close()
      process.stdout.write('closed')`
    expect(await startModule(source).ended).toEqual({
      status: 0,
      out: 'closed',
      err: '',
    })
  })

  it('opens the device of its folder again', async () => {
    const data = mkdtempSync(join(tmpdir(), 'fiscal-rig-library-'))
    try {
      const first = await printerOf({ data })
      await sellTea(first)
      await first.close()
      const again = await printerOf({ data })
      expect(again.receipts()).toHaveLength(1)
      await again.close()
    } finally {
      rmSync(data, { recursive: true, force: true })
    }
  })
})

describe('the library rejects with a readable message', () => {
  const options: readonly [string, object, string][] = [
    ['an unknown family', { family: 'Q' }, 'there is no emulated device of family Q: there are A, B, C'],
    ['a misspelt option', { profil: 'ro' }, 'startPrinter: there is no option "profil"; did you mean "profile"?'],
    ['a profile of another family', { profile: 'b8' }, 'b8'],
    ['a switch', { switches: { slow: '1' } }, 'family A has no switch slow, only '],
    ['a clock', { clock: 'noon' }, 'startPrinter: clock: expected a date and time like "2026-07-14T12:30:00"'],
    ['a seed', { seed: 1.5 }, 'startPrinter: seed: expected a whole number from 0 to 9007199254740991, not 1.5'],
    ['a speed', { baud: '9600' }, 'startPrinter: baud: expected a whole number from 50 to 4000000, not "9600"'],
    ['a rule', { faults: [{ at: 'somewhere', do: 'drop' }] }, 'startPrinter: faults: [0].at: expected link.toDevice'],
    [
      'an article',
      { articles: [{ plu: 1, name: 'Tea', taxCode: 9, price: '1.20' }] },
      'startPrinter: articles: [0].taxCode: expected a whole number from 1 to 8',
    ],
    ['a tax group', { taxRates: { Z: '20' } }, 'startPrinter: taxRates: there is no tax group "Z", only A to H'],
    [
      'a tax rate',
      { taxRates: { A: '120' } },
      'startPrinter: taxRates.A: expected a percentage from 0 to 99.99, or null',
    ],
  ]
  it.each(options)('%s', async (_what, wrong, sentence) => {
    await expect(startPrinter({ family: 'A', ...wrong } as PrinterOptions)).rejects.toThrow(sentence)
  })

  it('a name of an event, a state, a duration, a document or a rule that does not exist', async () => {
    const printer = await printerOf()
    expect(() => printer.on('paper' as 'frame', () => undefined)).toThrow(
      'on: there is no event "paper"; there are "document", "frame", "display" or "fault"',
    )
    expect(() => printer.setPaper('gone' as 'out')).toThrow('setPaper: expected "ok", "low" or "out", not "gone"')
    expect(() => printer.setCover('open' as never)).toThrow('setCover: expected true or false, not "open"')
    expect(() => printer.advance('24h')).toThrow('advance: expected an ISO 8601 duration')
    expect(() => printer.paper(99)).toThrow('paper: there is no document 99')
    expect(() => printer.fault({ at: 'link.toHost', on: 'closeFiscl' as 'closeFiscal', do: 'drop' })).toThrow(
      'closeFiscl',
    )
    await expect(printer.nextDocument({ within: -1 })).rejects.toThrow('nextDocument: within: expected a whole number')
    await expect(startService({ printer: {} as Printer })).rejects.toThrow('expected a printer of startPrinter')
    await expect(startService({ printer, prot: 1 } as never)).rejects.toThrow('there is no option "prot"')
  })
})
