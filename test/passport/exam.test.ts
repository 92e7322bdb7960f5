import { expect, it } from 'vitest'
import { serviceTill } from '../../bin/exam/service-till.ts'
import { createEmulator } from '../../emulator/emulator.ts'
import { examine, notPassed } from '../exam/examine.ts'
import { bytesOf } from '../support/bytes.ts'
import { answerA, readA } from './firmware.ts'
import { passportOfInvented } from './record-passport.ts'

const SALE = 49
const INFO = 90
const LEFT = 68
/** Command 49 with the data `X, 1, 0.01`, in a frame with the number 20h. */
const SALE_ASKED = bytesOf('01 30 30 33 38 20 30 30 33 31 58 09 31 09 30 2E 30 31 09 09 09 09 30 09 05 30 33 36 3B 03')

it('the service passes the exam on a device with an invented firmware', { timeout: 300_000 }, async () => {
  const passport = await passportOfInvented('A', 'bg', 'fiscal', {
    answers(request, answer) {
      const { data } = readA(answer)
      switch (readA(request).command) {
        case SALE:
          return data === '-111016\t' ? answerA(answer, { data: '-111008\t' }) : undefined
        case INFO:
          return answerA(answer, { data: data.replace('1.00BG', '2.10BG') })
        case LEFT:
          return answerA(answer, {
            data: data.replace(/\t(\d+)\t/, (_, digits: string) => `\t${digits.padStart(9, '0')}\t`),
          })
        default:
          return undefined
      }
    },
  })
  expect(passport.overrides.map(({ command }) => command)).toEqual(
    expect.arrayContaining(['sale', 'deviceInfo', 'closuresLeft']),
  )
  const testBench = { family: 'A', passport, seed: 0, hasPty: false, timeoutMs: 60_000 }
  const end = await examine(serviceTill, { family: 'A' }, { testBench })
  expect(notPassed(end)).toEqual([])
  expect(end.cases.length).toBeGreaterThan(20)
  const emulator = createEmulator({ family: 'A', passport, data: 'memory' })
  const received: Uint8Array[] = []
  const line = emulator.loop.attach({ send: (bytes) => void received.push(bytes), unplug: () => undefined })
  line.receive(SALE_ASKED)
  expect(readA(received.at(-1) ?? new Uint8Array(0)).data).toBe('-111008\t')
  await emulator.close()
})
