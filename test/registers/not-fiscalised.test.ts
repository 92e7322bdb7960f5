import supertest from 'supertest'
import { describe, expect, it } from 'vitest'
import { startPrinter as startLibraryPrinter } from '../../bin/library.ts'
import { deviceShape, encodeHostFrame } from '../../drivers/family-a/protocol/frame.ts'
import { writeFrame } from '../../drivers/family-c/protocol/frame.ts'
import type { Family } from '../../drivers/model/families.ts'
import { familyA } from '../../emulator/family-a/index.ts'
import { familyC } from '../../emulator/family-c/index.ts'
import { bytesOf, textOf } from '../support/bytes.ts'
import { createPanel } from '../support/panel.ts'
import { composeService, startPrinter, startWire } from '../support/rig.ts'

const settings = { fiscalised: false }
const RECEIPT = { ReceiptItems: [{ Type: 1, PluSale: { PluNumber: 1 } }] }
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1')

describe('a device that is not fiscalised', () => {
  it('answers in family A with 90 and status bytes as a real device did', () => {
    const { hear } = startWire(familyA, { profile: 'ro', device: { settings } })
    const answer = text(hear(bytesOf('01 30 30 32 3B 21 30 30 35 3A 31 05 30 31 3F 33 03')))
    expect(answer).toMatch(/00000000, {4}\d{8}\x04\x80\x80\x80\x80\x84\x82\x80\x80\x05/)
    expect(answer.split('\x04')[0]?.split(',')).toHaveLength(5)
  })

  it('answers in family B without numbers, with a tax number of dashes, and with the status of the sheet', () => {
    const { emulator } = startPrinter({ family: 'B', settings })
    expect(emulator.device.numbers).toEqual({ serialNumber: '', fiscalMemoryNumber: '' })
    const received: Uint8Array[] = []
    const line = emulator.loop.attach({ send: (bytes) => void received.push(bytes), unplug: () => undefined })
    line.receive(bytesOf('01 24 50 4A 05 30 30 3C 33 03'))
    expect(textOf(Buffer.concat(received))).toContain('80 80 C0 80 80 90 04 80 80 C0 80 80 90')
  })

  it('answers in family C with a blank serial number, and the bits of fiscalisation and numbers are clear', () => {
    const { hear } = startWire(familyC, { device: { settings } })
    expect(text(hear(bytesOf('02 23 21 60 36 32 0A')))).toContain(`${' '.repeat(8)};`)
    expect(textOf(hear(bytesOf('02 23 22 20 32 31 0A'))).split(' ')[7]).toBe('90')
  })
})

const startService = (family: Family, switches = {}) => {
  const rig = startPrinter({ family, settings, options: switches })
  const notes: string[] = []
  const service = composeService(rig.driver({}, { log: (line) => void notes.push(line) }))
  const close = async () => {
    await rig.close()
    await service.close()
  }
  return { ...rig, ...service, notes, close }
}

describe('the service on a device that is not fiscalised', () => {
  it('reports on family A that the device must be fiscalised', async () => {
    const rig = startService('A')
    const { StatusCode, Message } = await rig.post('/print-fiscal-receipt', RECEIPT)
    expect(StatusCode).toBe(400)
    expect(Message).toContain('The device is not fiscalised, so it prints no fiscal receipts')
    expect(Message).toContain("have the device's service fiscalise it")
    expect(rig.papers()).toEqual([])
    await rig.close()
  })

  it.each<readonly [Family, Readonly<Record<string, string>>]>([
    ['A', { beforeFiscalised: 'training' }],
    ['B', {}],
    ['C', {}],
  ])('prints training slips on family %s, and the log says so', async (family, switches) => {
    const rig = startService(family, switches)
    // A device of family A has no tax rates until they are set (83).
    if (family === 'A') rig.emulator.device.registers.setTaxRates([2000, 2000, 2000, 900, 0, 0, 0, 0])
    expect(await rig.post('/print-fiscal-receipt', RECEIPT)).toMatchObject({ StatusCode: 200 })
    const [slip] = rig.papers()
    expect(slip?.text).toMatch(/NON-FISCAL RECEIPT|NOT A FISCAL RECEIPT|SERVICE RECEIPT/)
    expect(slip?.text.replace('NON-FISCAL RECEIPT', '')).not.toMatch(/^\s*FISCAL RECEIPT\s*$/m)
    expect(rig.notes.filter((note) => note.includes('not fiscalised'))).toHaveLength(1)
    await rig.post('/report-z')
    expect(rig.emulator.device.memory.zs(1, 10)).toEqual([])
    await rig.close()
  })

  it.each(['A', 'B', 'C'] as const)(
    'prints fiscal receipts on family %s after the device was fiscalised by hand, until it is no longer fiscalised',
    async (family) => {
      const rig = startService(family)
      const { app } = createPanel(rig.emulator)
      const hand = async (fiscalised: boolean) =>
        (await supertest(app).post('/emulator/fiscalised').send({ fiscalised }).expect(200)).body
      const readFiscalised = async () => (await supertest(app).get('/emulator').expect(200)).body.fiscalised
      expect(await readFiscalised()).toBe(false)
      expect(await hand(true)).toEqual({ fiscalised: true })
      expect(await rig.post('/print-fiscal-receipt', RECEIPT)).toMatchObject({ StatusCode: 200 })
      expect(rig.papers()[0]?.text).toContain(rig.emulator.profile.serialNumber)
      expect(await hand(false)).toEqual({ fiscalised: false })
      expect({ fiscalised: await readFiscalised(), papers: rig.papers() }).toEqual({ fiscalised: false, papers: [] })
      expect(rig.emulator.device.numbers.serialNumber).not.toBe(rig.emulator.profile.serialNumber)
      await rig.close()
    },
  )
})

describe('a device that is fiscalised by command', () => {
  it('prints fiscal receipts in family A after tax rates by 83, then 72', () => {
    const { device, hear } = startWire(familyA, { device: { settings } })
    let seq = 0x20
    const ask = (code: number, data: string) => {
      const answer = deviceShape.parse(hear(encodeHostFrame({ seq: ++seq, code, data })))
      return answer?.data.split('\t')[0]
    }
    const open = () => ask(48, '1\t0000\t1\t\t')
    expect(open()).toBe('-110104')
    expect(ask(83, '20.00\t20.00\t20.00\t9.00\t0.00\t0.00\t0.00\t0.00\t2\t')).toBe('0')
    expect(ask(72, `${device.numbers.serialNumber}\t123456789\t`)).toBe('0')
    expect(ask(72, `${device.profile.serialNumber}\t123456789\t`)).toBe('-110105')
    expect(device.memory.eventsOf('fiscalised')).toHaveLength(1)
    expect(open()).toBe('0')
  })

  it('prints fiscal receipts in family C after 41h', () => {
    const { device, hear } = startWire(familyC, { device: { settings } })
    hear(writeFrame(0x21, 0x41, '000000;1;123456789      ;50000001    '))
    expect(device.fiscalised).toBe(false)
    hear(writeFrame(0x22, 0x41, '000000;2'))
    expect({ fiscalised: device.fiscalised, taxNumber: device.registers.taxNumber, ...device.numbers }).toMatchObject({
      fiscalised: true,
      serialNumber: 'ZK123456',
      taxNumber: '123456789',
    })
  })

  it('can be started by the library before it is fiscalised', async () => {
    const printer = await startLibraryPrinter({ family: 'A', fiscalised: false })
    await printer.close()
  })
})
