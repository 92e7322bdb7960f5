import supertest from 'supertest'
import { describe, expect, it } from 'vitest'
import { encodeHostFrame } from '../../drivers/family-a/protocol/frame.ts'
import { writeRequest } from '../../drivers/family-b/protocol/frame.ts'
import { writeFrame } from '../../drivers/family-c/protocol/frame.ts'
import type { Family } from '../../drivers/model/families.ts'
import { Deframer } from '../../drivers/wire/deframer.ts'
import { createPanel } from '../support/panel.ts'
import { startPrinter } from '../support/rig.ts'

const AT = '15-07-26 09:00:00'
const A = (seq: number, code: number, data: string) => encodeHostFrame({ seq, code, data })
const B = (seq: number, command: number, data: string) => writeRequest({ seq, command, data })

/** The frames sell, pay and close a reversal with the given code of the reason. */
const WIRES: readonly (readonly [Family, string, (reason: number) => readonly Uint8Array[], readonly string[]])[] = [
  [
    'A',
    'bg',
    (reason) => [
      A(0x21, 43, `1\t0000\t1\t${reason}\t7\t${AT}\t02000123\t\t\t\t\t`),
      A(0x22, 58, '1\t1.000\t\t\t\t'),
      A(0x23, 53, '0\t\t\t'),
      A(0x24, 56, ''),
    ],
    ['operatorError', 'refund', 'taxBaseReduction'],
  ],
  [
    'B',
    'b8',
    (reason) => [
      B(0x21, 48, `1,1,DY000001-0001-0000001\tR${reason},7,${AT}\t36000001`),
      B(0x22, 58, '1'),
      B(0x23, 53, '\t'),
      B(0x24, 56, ''),
    ],
    ['refund', 'operatorError', 'taxBaseReduction'],
  ],
  [
    'C',
    'c6',
    (reason) => [
      writeFrame(0x21, 0x30, `1;0000  ;0;0;@;${reason};000007;${AT};50000123`),
      writeFrame(0x22, 0x32, '+00001*1'),
      writeFrame(0x23, 0x36, ''),
    ],
    ['operatorError', 'refund', 'taxBaseReduction'],
  ],
]
const PAPER: Readonly<Record<string, string>> = {
  operatorError: 'OPERATOR ERROR',
  refund: 'RETURN OF GOODS',
  taxBaseReduction: 'TAX BASE REDUCTION',
}

describe.each(WIRES)('a reversal on family %s, profile %s,', (family, profile, frames, reasons) => {
  it.each(reasons.map((reason, number) => [number, reason] as const))(
    'for the reason %i is printed as %s',
    async (number, reason) => {
      const { emulator, close } = startPrinter({ family, profile })
      emulator.device.cashInOut({ direction: 'in', amount: 10_000 })
      const { wire } = emulator
      for (const frame of frames(number)) {
        for (const event of new Deframer(wire.shape).push(frame)) {
          const meeting = wire.meet(event)
          if (meeting.kind === 'run') meeting.run()
        }
      }
      const documents = (await supertest(createPanel(emulator).app).get('/emulator/documents').expect(200)).body
      const reversal = documents.at(-1)
      expect(reversal).toMatchObject({ kind: 'fiscal', reversalReason: reason })
      expect(reversal.text.join('\n')).toContain(PAPER[reason])
      await close()
    },
  )
})
