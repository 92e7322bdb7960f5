import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { readFleetFile } from '../../bin/fleet-file.ts'
import { plansOf } from '../../bin/fleet-rows.ts'
import { passportText } from '../../scenarios/passport/passport-format.ts'
import { passportOf } from '../passport/record-passport.ts'
import { openFleet } from './small-fleet.ts'

const NAK = 0x15

it('printers of a fleet use a passport, and continue its serial numbers', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fiscal-rig-passports-'))
  const { passport } = await passportOf({ family: 'B', profile: 'b5', options: { partialFrame: 'nak' } })
  writeFileSync(join(folder, 'our-b.yaml'), passportText(passport))
  const fleetFile = join(folder, 'fleet.yaml')
  writeFileSync(fleetFile, 'printers: [{name: "lab-{n}", count: 2, family: B, tcp: 0, passport: our-b.yaml}]')
  const { fleet } = await openFleet(plansOf(readFleetFile(fleetFile), {}, undefined, () => 0))
  onTestFinished(async () => {
    await fleet.close()
    rmSync(folder, { recursive: true, force: true })
  })
  expect(await fleet.rows()).toMatchObject([
    { name: 'lab-1', profile: 'b5', serialNumber: 'DY00000001', state: 'idle' },
    { name: 'lab-2', profile: 'b5', serialNumber: 'DY00000002', state: 'idle' },
  ])
  const socket = connect({ port: fleet.printers[1]?.tcp ?? 0, host: '127.0.0.1' })
  socket.write(Buffer.from([0x01, 0x24, 0x20]))
  const [answer] = (await once(socket, 'data')) as [Buffer]
  socket.destroy()
  expect([...answer]).toEqual([NAK])
})

it('a passport of another family is reported as an error in the fleet file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fiscal-rig-passports-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const { passport } = await passportOf({ family: 'B', profile: 'b5', options: {} })
  writeFileSync(join(folder, 'our-b.yaml'), passportText(passport))
  const fleetFile = join(folder, 'fleet.yaml')
  writeFileSync(fleetFile, 'printers: [{name: lab, family: C, passport: our-b.yaml}]')
  expect(() => readFleetFile(fleetFile)).toThrow(
    'printers[0].passport: the passport describes a device of family B, profile b5',
  )
})
