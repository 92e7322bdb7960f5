/**
 * A device that is off, missing or slow, an echo, noise, or a device of another family at the end of the line: the
 * response and its time are defined, and the service needs no restart when the right device is connected (decisions 3).
 */
import { createServer, type Server, type Socket } from 'node:net'
import supertest from 'supertest'
import { afterEach, describe, expect, it } from 'vitest'
import { FAMILIES } from '../../drivers/families.ts'
import { openPrinter } from '../../drivers/index.ts'
import type { Family } from '../../drivers/model/families.ts'
import { createEmulator } from '../../emulator/emulator.ts'
import { EmulatedBinding } from '../../emulator/line/binding.ts'
import { type KillableService, startKillableService } from '../support/killable-service.ts'
import { composeService } from '../support/rig.ts'

const RECEIPT = { ReceiptItems: [{ Type: 1, PluSale: { PluNumber: 1 } }] }
const PRINT = '/print-fiscal-receipt'
/** Milliseconds within which the caller must learn that the device does not respond. */
const STATED_MS = 5_000
/**
 * Milliseconds within which the caller must learn that the device does not respond, if the device may be busy. Family C
 * waits 15 s before it sends a query.
 */
const STATED_AT_WORK_MS = 25_000

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

function rigOf(...of: Parameters<typeof startKillableService>): KillableService {
  const rig = startKillableService(...of)
  ends.push(() => rig.close())
  return rig
}

/** Returns a line to something other than a device, which responds to each chunk with the bytes of `answer`. */
const farEnd = (answer: (bytes: Uint8Array) => Uint8Array): EmulatedBinding =>
  new EmulatedBinding(
    'far end',
    { manufacturer: '', serialNumber: '' },
    {
      powered: () => true,
      opened: (port) => ({ receive: (bytes) => port.emit(answer(bytes)), closed: () => undefined }),
    },
  )

const ANSWERS = {
  off: /^The device does not respond\. Check that it is switched on/,
  echo: /it echoes the bytes it receives, like a loopback plug/,
  unread:
    /^The connected device does not use the configured family's protocol.*check the configured family and baud rate/,
  nonsense:
    /^(The connected device does not use the configured family's protocol|The connection to the device is unreliable|The device does not respond)/,
}

async function timed<T>(rig: KillableService, work: () => Promise<T>, limitMs = STATED_MS): Promise<T> {
  const since = rig.clock.now()
  const answer = await work()
  expect(rig.clock.now() - since).toBeLessThanOrEqual(limitMs)
  return answer
}

describe.each(FAMILIES)('family %s', (family) => {
  const others: [string, RegExp, (rig: KillableService) => EmulatedBinding][] = FAMILIES.filter(
    (other) => other !== family,
  ).map((other) => [
    `a device of family ${other}`,
    ANSWERS.nonsense,
    ({ clock }) => {
      const emulator = createEmulator({ family: other, clock })
      ends.push(() => emulator.close())
      return emulator.binding
    },
  ])

  it.each([
    ...others,
    ['a loop-back plug', ANSWERS.echo, () => farEnd((bytes) => bytes.slice())] as const,
    ['a line without a device', ANSWERS.off, () => farEnd(() => new Uint8Array(0))] as const,
    [
      'a device with another speed',
      ANSWERS.unread,
      () => farEnd((bytes) => bytes.map((byte) => (byte << 1) ^ 0x99)),
    ] as const,
    ['a line that hangs low', ANSWERS.unread, () => farEnd((bytes) => bytes.map(() => 0))] as const,
  ])('%s is reported in time, and then the right device needs no restart', async (_, message, end) => {
    const rig = rigOf(family)
    await rig.connectTo(end(rig))
    for (const path of ['/clear-display', PRINT]) {
      const answer = await timed(rig, () => rig.post(path, path === PRINT ? RECEIPT : undefined))
      expect(answer).toMatchObject({ StatusCode: 424, Message: expect.stringMatching(message) })
    }
    await rig.connectTo(rig.emulator.binding)
    expect(await rig.post(PRINT, RECEIPT)).toEqual({ StatusCode: 200, Data: '1' })
  })

  it('a device that is off at the start is used as soon as it is switched on', async () => {
    const rig = rigOf(family)
    rig.emulator.setPower(false)
    const answer = await timed(rig, () => rig.post(PRINT, RECEIPT))
    expect(answer).toMatchObject({ StatusCode: 424, Message: expect.stringMatching(ANSWERS.off) })
    rig.emulator.setPower(true)
    expect(await rig.post(PRINT, RECEIPT)).toEqual({ StatusCode: 200, Data: '1' })
  })

  it('a device that is plugged in later is used as soon as it is present', async () => {
    const rig = rigOf(family)
    await rig.emulator.setCable(false)
    const answer = await timed(rig, () => rig.post(PRINT, RECEIPT))
    expect(answer).toMatchObject({ StatusCode: 424, Message: expect.stringMatching(/^Cannot open port .*: /) })
    await rig.emulator.setCable(true)
    expect(await rig.post(PRINT, RECEIPT)).toEqual({ StatusCode: 200, Data: '1' })
  })

  it.each([
    ['the cable is unplugged', (rig: KillableService, on: boolean) => rig.emulator.setCable(on)],
    ['the power is cut', async (rig: KillableService, on: boolean) => rig.emulator.setPower(on)],
  ])(
    '%s during a receipt, and restored later: one receipt is printed or none, and the answer says which',
    async (_, set) => {
      for (const command of ['openFiscal', 'saleByPlu', 'payment', 'closeFiscal']) {
        const rig = rigOf(family)
        await rig.post('/clear-display')
        const stop = rig.emulator.subscribe((event) => {
          if (event.type !== 'frame' || event.entry.direction !== 'toDevice') return
          if (rig.emulator.decode(event.entry).command !== command) return
          stop()
          void set(rig, false)
        })
        const answer = await timed(rig, () => rig.post(PRINT, RECEIPT, 'key'), STATED_AT_WORK_MS)
        expect(answer.StatusCode, command).toBe(424)
        await set(rig, true)
        const again = await rig.post(PRINT, RECEIPT, 'key')
        // Another program may have opened the receipt while the service was disconnected, so the service does not
        // change that receipt.
        if (command === 'openFiscal' && rig.emulator.device.receipt !== null) {
          expect(again).toMatchObject({ StatusCode: 424, Message: expect.stringMatching(/^Outcome unknown: /) })
          continue
        }
        expect(again, command).toMatchObject({ StatusCode: 200 })
        const fiscal = rig.emulator.device.documents().filter(({ kind }) => kind === 'fiscal')
        expect([command, fiscal.length, rig.emulator.device.receipt]).toEqual([command, 1, null])
      }
    },
  )
})

describe('a service over TCP', () => {
  const receiptOver = (family: Family, device: string) => {
    const printer = openPrinter({ family, device })
    ends.push(() => printer.disconnect())
    const agent = supertest(composeService(printer).app)
    return async () => (await agent.post(`/api${PRINT}`).send(RECEIPT)).body
  }

  async function listening(port: number, onSocket: (socket: Socket) => void): Promise<Server> {
    const server = createServer(onSocket)
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    return server
  }
  const portOf = (server: Server) => (server.address() as { port: number }).port
  const ended = (server: Server) => new Promise<void>((resolve) => server.close(() => resolve()))

  it.each(FAMILIES)(
    'reports the state of the port at every moment: no listener, a listener that disconnects, and then the device; family %s',
    async (family) => {
      const first = await listening(0, (socket) => socket.destroy())
      const port = portOf(first)
      const print = receiptOver(family, `tcp://127.0.0.1:${port}`)
      expect(await print()).toMatchObject({
        StatusCode: 424,
        Message: expect.stringMatching(/^The connection .* was lost/),
      })
      await ended(first)
      expect(await print()).toMatchObject({
        StatusCode: 424,
        Message: expect.stringMatching(/^Cannot open port .*/),
      })
      const emulator = createEmulator({ family })
      ends.push(() => emulator.close())
      await emulator.listenTcp(port)
      expect(await print()).toEqual({ StatusCode: 200, Data: '1' })
    },
  )
})
