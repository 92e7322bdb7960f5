import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import supertest from 'supertest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { assignNumbers } from '../../emulator/fleet/assign-numbers.ts'
import type { FleetCallName, FleetRow } from '../../emulator/panel/contract.ts'
import { fits } from '../../emulator/panel/fleet.ts'
import { FLEET_CALLS } from '../../emulator/panel/fleet-contract.ts'
import { createFleetPanel, type Panel } from '../../emulator/panel/panel.ts'
import { openFleet, planOf, type SmallFleet, type Till, tillAt } from './small-fleet.ts'

let folder: string
let small: SmallFleet
let panel: Panel
const tills: Till[] = []
const call = () => supertest(panel.app)
const rowOf = (name: string): Promise<FleetRow> =>
  small.fleet.rows([name]).then(([row]) => {
    if (!row) throw new Error(`there is no printer ${name}`)
    return row
  })
async function tillOf(name: string): Promise<Till> {
  const port = small.fleet.printers.find(({ plan }) => plan.name === name)?.tcp
  const till = await tillAt(port ?? 0)
  tills.push(till)
  return till
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fiscal-rig-fleet-'))
  const taken = createServer().listen(0, '127.0.0.1')
  await new Promise((done) => taken.once('listening', done))
  const address = taken.address()
  const port = typeof address === 'object' ? address?.port : undefined
  writeFileSync(join(folder, 'device-b-b8.sqlite'), 'this is no database, and never was one')
  small = await openFleet([
    planOf('till-1'),
    planOf('till-2'),
    planOf('till-3', { profile: 'ro' }),
    planOf('shop-b', { family: 'B' }),
    planOf('shop-c', { family: 'C' }),
    planOf('late', { tcp: port ?? 0 }),
    planOf('torn', { family: 'B', data: folder }),
  ])
  taken.close()
  panel = createFleetPanel(small.fleet)
})
afterAll(async () => {
  for (const till of tills) till.close()
  panel?.close()
  await small?.fleet.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('the printers of a fleet', () => {
  it('that cannot be started are reported by name, and the others run', async () => {
    expect(small.log.filter((line) => line.startsWith('late: '))).toEqual([
      expect.stringContaining('it is already in use. Stop the program that uses it, or choose another port'),
    ])
    expect(small.log.filter((line) => line.startsWith('torn: '))).toEqual([
      expect.stringMatching(/^torn: .*device-b-b8\.sqlite cannot be used: file is not a database\. Restore a backup/),
    ])
    const rows = await small.fleet.rows()
    expect(rows.map(({ name, state }) => [name, state])).toEqual([
      ['till-1', 'idle'],
      ['till-2', 'idle'],
      ['till-3', 'idle'],
      ['shop-b', 'idle'],
      ['shop-c', 'idle'],
      ['late', 'failed'],
      ['torn', 'failed'],
    ])
    expect(rows.find(({ name }) => name === 'late')?.why).toContain('it is already in use')
  })

  it('are distributed to the threads', () => expect(small.threads.length).toBe(2))

  it('have their own numbers and books', async () => {
    const numbers = (await small.fleet.rows()).map(({ serialNumber }) => serialNumber)
    expect(new Set(numbers).size).toBe(numbers.length)
    expect(numbers.slice(0, 2)).toEqual(['DT000123', 'DT000124'])
    const [first, second] = [await tillOf('till-1'), await tillOf('till-2')]
    expect(await second.ask(123, '1\t')).toContain('DT000124')
    await first.receipt()
    await first.receipt()
    await second.receipt()
    expect((await rowOf('till-1')).total).toBe('3.00')
    expect(await rowOf('till-2')).toMatchObject({ total: '1.50', lastDocument: { kind: 'fiscal', number: 1 } })
    expect((await rowOf('till-3')).lastDocument).toBeNull()
  })

  it('report their last printed document, as text and as a strip', async () => {
    const row = await rowOf('till-1')
    expect(row.lastLine).not.toBe('')
    expect(row.strip).toMatch(/^[0-9]{6,12}$/)
    expect(row.line).toMatch(/^tcp:\/\/127\.0\.0\.1:\d+$/)
  })
})

describe('the control API of a fleet', () => {
  it('includes the whole control API of each printer', async () => {
    const { body } = await call().get('/emulator/fleet/till-2').expect(200)
    expect(body).toMatchObject({ family: 'A', serialNumber: 'DT000124', day: { total: '1.50' } })
    const documents = await call().get('/emulator/fleet/till-2/documents').expect(200)
    expect(documents.body).toHaveLength(1)
    await call().get('/emulator/fleet/till-2/documents/1.txt').expect(200).expect(/tea/)
    const png = await call()
      .get('/emulator/fleet/till-2/documents/1.png')
      .expect(200)
      .expect('Content-Type', 'image/png')
    expect(Buffer.from(png.body).subarray(1, 4).toString()).toBe('PNG')
    await call().post('/emulator/fleet/till-3/paper').send({ state: 'low' }).expect(200, { state: 'low' })
    expect((await rowOf('till-3')).state).toBe('paperLow')
    await call().post('/emulator/fleet/till-3/paper').send({ state: 'ok' }).expect(200)
    const wrong = await call().post('/emulator/fleet/till-3/paper').send({ state: 'wet' }).expect(400)
    expect(wrong.body.error).toContain('expected "ok", "low" or "out"')
    await call().get('/emulator/fleet/till-3/documents/99').expect(404)
    await call().get('/emulator/fleet/nobody').expect(404, { error: 'there is no printer nobody' })
    const failed = await call().get('/emulator/fleet/late').expect(404)
    expect(failed.body.error).toMatch(/^late does not run: .*already in use/)
    await call().delete('/emulator/fleet/till-1').expect(405).expect('Allow', 'GET, HEAD')
  })

  it.each(Object.keys(FLEET_CALLS).filter((name) => name.startsWith('GET ')) as FleetCallName[])(
    'returns the members that the declared view of %s describes, and no others',
    async (name) => {
      await call()
        .post('/emulator/fleet/till-1/faults')
        .send({ at: 'paper.line', skip: 1000, do: 'paperOut' })
        .expect(200)
      const { body } = await call().get(name.slice('GET '.length)).expect(200)
      await call().delete('/emulator/fleet/till-1/faults').expect(200)
      expect(body).not.toEqual([])
      expect((FLEET_CALLS[name].answer as z.ZodType).parse(body)).toEqual(body)
    },
  )

  it('executes manual actions on many printers at once', async () => {
    const { body } = await call()
      .post('/emulator/fleet/controls')
      .send({ names: ['till-*', 'shop-b'], paper: 'out' })
      .expect(200)
    expect(body.map(({ name, state }: FleetRow) => [name, state])).toEqual([
      ['till-1', 'paperOut'],
      ['till-2', 'paperOut'],
      ['till-3', 'paperOut'],
      ['shop-b', 'paperOut'],
    ])
    expect((await rowOf('shop-c')).state).toBe('idle')
    const states = async (hands: object) =>
      (
        await call()
          .post('/emulator/fleet/controls')
          .send({ names: ['*'], ...hands })
          .expect(200)
      ).body.map(({ state }: FleetRow) => state)
    expect(await states({ paper: 'ok', cover: true })).toEqual(Array(5).fill('coverOpen'))
    expect(await states({ cable: false })).toEqual(Array(5).fill('unplugged'))
    expect(await states({ power: false })).toEqual(Array(5).fill('off'))
    expect(await states({ cover: false, power: true, cable: true })).toEqual(Array(5).fill('idle'))
  })

  it.each([
    [{ names: ['till-9', 'till-1'], paper: 'out' }, 404, 'there is no printer till-9'],
    [{ names: ['late'], paper: 'out' }, 404, 'late does not run'],
    [{ names: ['till-1'] }, 400, 'expected paper, cover, power or cable'],
    [{ paper: 'out' }, 400, 'expected a list of names'],
    [{ names: ['till-1'], paper: 'wet' }, 400, 'expected "ok", "low" or "out"'],
    [{ names: ['till-1'], ink: 'out' }, 400, 'ink'],
  ])('refuses the manual actions %j', async (hands, status, why) => {
    const { body } = await call().post('/emulator/fleet/controls').send(hands).expect(status)
    expect(body.error).toContain(why)
    expect((await rowOf('till-1')).state).toBe('idle')
  })

  it('adds a fault rule to all selected printers, or to no printer', async () => {
    const rule = { at: 'link.toHost', on: 'closeFiscal', times: 1, do: 'drop' }
    const { body } = await call()
      .post('/emulator/fleet/faults')
      .send({ names: ['till-*'], ...rule })
      .expect(200)
    expect(body).toEqual(
      ['till-1', 'till-2', 'till-3'].map((name) => ({ name, id: expect.any(Number), ...rule, hits: 0 })),
    )
    expect((await call().get('/emulator/fleet/faults')).body).toEqual(body)
    // Family C has no command of this name, so no printer gets the rule, and all keep their earlier rules.
    const wrong = await call()
      .post('/emulator/fleet/faults')
      .send([{ names: ['*'], at: 'command.before', on: 'noSuchCommand', do: 'drop' }])
      .expect(400)
    expect(wrong.body.error).toMatch(/^till-1: .*noSuchCommand/)
    expect((await call().get('/emulator/fleet/faults')).body).toEqual(body)
    await call().post('/emulator/fleet/faults').send(rule).expect(400)
    const left = await call().delete('/emulator/fleet/faults?names=till-1,till-2').expect(200)
    expect(left.body.map(({ name }: FleetRow) => name)).toEqual(['till-3'])
    await call().delete('/emulator/fleet/faults').expect(200, [])
  })

  it('lists the documents of all printers in the order in which they were printed', async () => {
    const all = (await call().get('/emulator/fleet/documents').expect(200)).body
    const last = all.at(-1).id
    const [third, first] = [await tillOf('till-3'), await tillOf('till-1')]
    await third.ask(48, '1\t0001\t1\t\t')
    await third.ask(60)
    await first.receipt()
    const { body } = await call().get(`/emulator/fleet/documents?since=${last}`).expect(200)
    expect(body.map(({ id, name, own, kind }: Record<string, unknown>) => [id, name, own, kind])).toEqual([
      [last + 1, 'till-3', 1, 'cancelled'],
      [last + 2, 'till-1', 3, 'fiscal'],
    ])
    expect(body[1].text.join('\n')).toContain('tea')
    const heads = (await call().get(`/emulator/fleet/documents?since=${last}&content=none&limit=1`)).body
    expect(heads).toEqual([{ ...body[0], text: undefined }])
  })

  it('removes the documents of a printer that became another device', async () => {
    const before = (await call().get('/emulator/fleet/documents')).body
    await call().post('/emulator/fleet/till-3/reset').send({}).expect(200)
    const after = (await call().get('/emulator/fleet/documents')).body
    expect(after).toEqual(before.filter(({ name }: FleetRow) => name !== 'till-3'))
  })

  it('has figures for Prometheus', async () => {
    const { text, type } = await call().get('/metrics').expect(200)
    expect(type).toBe('text/plain')
    const value = (metric: string, printer: string) =>
      Number(new RegExp(`^fiscal_rig_${metric}\\{printer="${printer}",family="A"\\} (\\S+)$`, 'm').exec(text)?.[1])
    expect(value('commands_total', 'till-1')).toBe(12)
    expect(value('receipts_total', 'till-1')).toBe(3)
    expect(value('refusals_total', 'till-1')).toBe(0)
    expect(value('busy_seconds_total', 'till-1')).toBeGreaterThan(0)
    expect(value('commands_total', 'till-2')).toBe(5)
    await tills.at(-1)?.ask(56)
    const later = (await call().get('/metrics')).text
    expect(later).toContain('fiscal_rig_refusals_total{printer="till-1",family="A"} 1')
  })

  it('answers only this machine and its own pages', async () => {
    for (const path of ['/emulator/fleet', '/emulator/fleet/till-1', '/emulator/fleet/events', '/metrics', '/floor']) {
      await call().get(path).set('Host', 'rebound.example').expect(403)
      await call().get(path).set('Origin', 'https://evil.example').expect(403)
      await call().get(path).set('Sec-Fetch-Site', 'cross-site').expect(403)
    }
    await call()
      .post('/emulator/fleet/controls')
      .set('Origin', 'https://evil.example')
      .send({ names: ['*'], power: false })
      .expect(403)
    expect((await rowOf('till-1')).state).toBe('idle')
  })
})

describe('the serial numbers of a fleet', () => {
  it('continue from the number of the profile, for each profile', () => {
    const rows = [
      planOf('1'),
      planOf('2', { family: 'C' }),
      planOf('3'),
      planOf('4', { family: 'C', profile: 'cr' }),
      planOf('5', { profile: 'ro' }),
    ]
    const plans = assignNumbers(rows, () => 0)
    expect(plans.map(({ identity }) => identity)).toEqual([
      { serialNumber: 'DT000123', fiscalMemoryNumber: '02000123' },
      { serialNumber: 'ZK123456', fiscalMemoryNumber: '50123456' },
      { serialNumber: 'DT000124', fiscalMemoryNumber: '02000124' },
      { serialNumber: 'ZK123457', fiscalMemoryNumber: '50123457' },
      { serialNumber: 'DB4100000123', fiscalMemoryNumber: '4100000123' },
    ])
  })
})

it.each([
  ['till-1', 'till-*', true],
  ['till-1', '*', true],
  ['till-1', 'till-1', true],
  ['till-1', 'till-12', false],
  ['till-12', 'till-1', false],
  ['shop-a-7', 'shop-*-7', true],
  ['shop-a-7', '*-a-*', true],
  ['aa', 'a*a', true],
  ['a', 'a*a', false],
  ['till.1', 'till*1*', true],
])('the wildcard pattern %s matches %s: %j', (name, pattern, expected) => expect(fits(name, pattern)).toBe(expected))
