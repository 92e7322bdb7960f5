import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Exit } from '../../bin/exit.ts'
import { type PrinterRow, plansOf } from '../../bin/fleet-rows.ts'
import { chosenIdentity, type OpenedDevice } from '../../bin/serial-number.ts'
import { FAMILIES } from '../../drivers/families.ts'
import { createEmulator, profilesOf } from '../../emulator/emulator.ts'
import { drawnIdentity, identityOf } from '../../emulator/identity.ts'
import type { Passport } from '../../emulator/passport/passport.ts'
import { profileOf } from '../../emulator/profiles.ts'
import { FREE_PORTS, type Running, start } from '../support/command.ts'
import { runToEnd } from '../support/in-process.ts'

let folder: string
const running: Running[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fiscal-rig-serial-'))
})
afterEach(async () => {
  for (const { child, ended } of running.splice(0)) {
    child.kill('SIGKILL')
    await ended
  }
  rmSync(folder, { recursive: true, force: true })
})

const PROFILES = FAMILIES.flatMap((family) => profilesOf(family).map((profile) => ({ family, profile })))
const LOWEST = () => 0
const HIGHEST = () => 1 - 2 ** -32
const device = (data?: string): OpenedDevice => ({ family: 'C', ...(data !== undefined && { data }) })
async function numbersOf(opened: OpenedDevice, serial?: string, random = () => 0.5) {
  const identity = chosenIdentity(opened, serial, random)
  const emulator = createEmulator({ ...opened, ...(identity && { identity }) })
  const { serialNumber, fiscalMemoryNumber } = emulator.profile
  await emulator.close()
  return { serialNumber, fiscalMemoryNumber }
}
function refusal(opened: OpenedDevice, serial: string): Pick<Exit, 'status' | 'message'> {
  try {
    chosenIdentity(opened, serial, LOWEST)
  } catch (error) {
    return error as Exit
  }
  throw new Error(`${serial} was accepted`)
}

describe.each(PROFILES)('a device of family $family, profile $profile,', (choice) => {
  const known = profileOf(choice)
  it('has a fiscal memory number that ends with the digits of the serial number', () => {
    const { serialNumber, fiscalMemoryNumber } = known
    expect(identityOf(serialNumber, known)).toEqual({ serialNumber, fiscalMemoryNumber })
  })

  it('draws numbers of the same format, and never the default numbers', () => {
    const shape = (text: string) => text.replace(/\d/g, '0')
    for (const random of [LOWEST, () => 0.25, () => 0.999999, HIGHEST]) {
      const drawn = drawnIdentity(known, random)
      expect(drawn.serialNumber).not.toBe(known.serialNumber)
      expect(drawn.fiscalMemoryNumber).not.toBe(known.fiscalMemoryNumber)
      expect(shape(drawn.serialNumber)).toBe(shape(known.serialNumber))
      expect(drawn.fiscalMemoryNumber).toHaveLength(known.fiscalMemoryNumber.length)
      expect(drawn.fiscalMemoryNumber.slice(-6)).toBe(drawn.serialNumber.slice(-6))
    }
  })
})

describe('a data folder', () => {
  it('gets its own numbers when it is new, and keeps them', async () => {
    const [one, other] = [join(folder, 'one'), join(folder, 'other')]
    const first = await numbersOf(device(one), undefined, () => 0.1)
    const second = await numbersOf(device(other), undefined, () => 0.2)
    expect(new Set([first.serialNumber, second.serialNumber, 'ZK123456']).size).toBe(3)
    expect(await numbersOf(device(one), undefined, () => 0.9)).toEqual(first)
    const library = createEmulator({ family: 'C', data: one })
    expect(library.profile.serialNumber).toBe(first.serialNumber)
    library.reset()
    await library.close()
    expect(await numbersOf(device(one))).toEqual(first)
  })

  it('of an earlier version, or of the library, keeps the default serial number', async () => {
    await createEmulator({ family: 'C', data: folder }).close()
    expect(await numbersOf(device(folder))).toEqual({ serialNumber: 'ZK123456', fiscalMemoryNumber: '50123456' })
  })

  it('gives each of its named devices its own number', async () => {
    const first = await numbersOf({ ...device(folder), deviceName: 'a' }, undefined, () => 0.1)
    const second = await numbersOf({ ...device(folder), deviceName: 'b' }, undefined, () => 0.2)
    expect(first.serialNumber).not.toBe(second.serialNumber)
  })
})

describe('without a folder, or with a passport,', () => {
  it('the device has the default serial number', async () => {
    expect((await numbersOf(device())).serialNumber).toBe('ZK123456')
    const passport = { device: { family: 'C', serialNumber: 'ZK555555' } } as Passport
    expect(chosenIdentity({ ...device(folder), passport }, undefined, LOWEST)).toBeUndefined()
    const anonymous = { device: { family: 'C' } } as Passport
    expect(chosenIdentity({ ...device(folder), passport: anonymous }, undefined, LOWEST)).toBeUndefined()
    expect(refusal({ ...device(folder), passport }, 'ZK000777')).toMatchObject({
      status: 2,
      message: '--serial ZK000777: the passport has the serial number ZK555555: omit --serial, or change the passport',
    })
  })
})

describe('the option --serial', () => {
  it('sets the numbers of a new device, in a folder or in memory', async () => {
    const own = { serialNumber: 'ZK000777', fiscalMemoryNumber: '50000777' }
    expect(await numbersOf(device(folder), 'ZK000777')).toEqual(own)
    expect(await numbersOf(device(folder))).toEqual(own)
    expect(await numbersOf(device(folder), 'ZK000777')).toEqual(own)
    expect(await numbersOf(device(), 'ZK000777')).toEqual(own)
  })

  it('is refused for a folder with another number, and the folder keeps its number', async () => {
    await numbersOf(device(folder), 'ZK000777')
    expect(refusal(device(folder), 'ZK000778')).toMatchObject({
      status: 2,
      message: `--serial ZK000778: the device in ${join(folder, 'device-c-c4.sqlite')} has the serial number ZK000777: omit --serial, or choose a new folder with --data`,
    })
    expect((await numbersOf(device(folder))).serialNumber).toBe('ZK000777')
  })

  it.each(['ZK12345', 'ZK1234567', 'zk123456', '12345678', 'ZK12345x', ' ZK123456'])(
    'is refused with the number %j',
    (serial) => {
      expect(refusal(device(), serial)).toMatchObject({
        status: 2,
        message: `--serial ${serial}: expected 2 capital letters and 6 digits, such as ZK123456, for family C, profile c4`,
      })
    },
  )
})

describe('a fleet of printers', () => {
  const rows: PrinterRow[] = [1, 2, 3].map((n) => ({ name: `${n}`, family: 'A' }))
  const serials = (random: () => number, data?: string) =>
    plansOf(rows, {}, data, random).map(({ identity }) => identity?.serialNumber)

  it('in memory has numbers after the default number, and in new folders each printer draws its own', () => {
    expect(serials(() => 0.5)).toEqual(['DT000123', 'DT000124', 'DT000125'])
    const draws = [0.1, 0.2, 0.3]
    const drawn = serials(() => draws.shift() ?? 0, folder)
    expect(new Set([...drawn, 'DT000123']).size).toBe(4)
    // Devices get different numbers even if the random number is the same.
    expect(new Set(serials(() => 0.5, folder)).size).toBe(3)
  })
})

describe('the option --serial of emulate and serve', () => {
  const begin = async (...args: string[]) => {
    const one = start(args, { cwd: folder })
    running.push(one)
    const panel = String((await one.ready())['panel'])
    const { serialNumber } = (await (await fetch(`${panel}/emulator`)).json()) as { serialNumber: string }
    one.child.kill('SIGTERM')
    expect((await one.ended).status).toBe(0)
    return serialNumber
  }
  const emulate = (...args: string[]) =>
    begin('emulate', '--family', 'A', '--tcp', '0', '--panel-port', '0', '--json', ...args)

  it('opens the same device in both commands, with the number that its folder got', async () => {
    const drawn = await emulate('--data', 'one')
    expect(drawn).toMatch(/^DT\d{6}$/)
    expect(drawn).not.toBe('DT000123')
    expect(await begin('serve', '--json', ...FREE_PORTS, '--data', 'one')).toBe(drawn)
    expect(await begin('serve', '--json', ...FREE_PORTS, '--data', 'two', '--serial', 'DT000777')).toBe('DT000777')
    expect(await emulate('--data', 'memory')).toBe('DT000123')
    expect(await emulate('--data', 'memory', '--serial', 'DT000778')).toBe('DT000778')
  }, 120_000)

  it.each([
    [['emulate', '--family', 'A', '--data', 'memory', '--serial', 'X'], '--serial X: expected 2 capital letters'],
    [['serve', '--data', 'memory', '--serial', 'X'], '--serial X: expected 2 capital letters'],
    [
      ['emulate', '--family', 'A', '--count', '2', '--serial', 'DT000777'],
      '--serial: with --count or --fleet every device has its own serial number',
    ],
    [
      ['emulate', '--fleet', 'f.yaml', '--serial', 'DT000777'],
      '--serial: with --count or --fleet every device has its own serial number',
    ],
    [
      ['serve', '--family', 'A', '--device', '/dev/ttyS0', '--data', 'memory', '--serial', 'DT000777'],
      '--serial is for the emulated device, not for /dev/ttyS0',
    ],
  ])('is refused with status 2 for %j', async (args, why) => {
    const { status, err } = await runToEnd(args, { cwd: folder })
    expect([status, err]).toEqual([2, expect.stringContaining(why)])
  })
})
