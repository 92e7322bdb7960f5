import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { emulate } from '../../bin/commands/emulate.ts'
import type { EmulateOptions } from '../../bin/commands/emulate-options.ts'
import type { Exit } from '../../bin/exit.ts'
import { tillAt } from '../fleet/small-fleet.ts'
import { type Running, start, startNode } from '../support/command.ts'
import { runToEnd } from '../support/in-process.ts'

let folder: string
const running: Running[] = []
const servers: Server[] = []
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fiscal-rig-floor-'))
})
afterEach(async () => {
  for (const { child, ended } of running.splice(0)) {
    child.kill('SIGKILL')
    await ended
  }
  for (const server of servers.splice(0)) server.close()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const emulated = (...args: string[]): Running => {
  const one = start(['emulate', '--panel-port', '0', ...args], { cwd: folder })
  running.push(one)
  return one
}
const file = (name: string, content: string): string => {
  writeFileSync(join(folder, name), content)
  return name
}
async function takenPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  servers.push(server)
  await new Promise((done) => server.once('listening', done))
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}

interface Ready {
  readonly panel: string
  readonly pid: number
  readonly printers: readonly Record<string, unknown>[]
}

it('--fleet starts the printers of a file, each with its options, and ends cleanly', async () => {
  const taken = await takenPort()
  const fleetFile = file(
    'fleet.yaml',
    `printers:
  - {name: "till-{n}", count: 2, family: A, profile: ro, tcp: 0}
  - {name: "kiosk-{n}", count: 1, family: C, link: "./kiosk-{n}", baud: 115200, realistic: true}
  - {name: lab, family: B, tcp: 0, data: ./lab, faults: plan.yaml}
  - {name: late, family: B, tcp: ${taken}}
`,
  )
  file('plan.yaml', '- {at: paper.line, skip: 100000, do: paperOut}\n')
  const one = emulated('--fleet', fleetFile, '--data', 'kept', '--json')
  const ready = (await one.ready()) as unknown as Ready
  expect(ready).toEqual({
    panel: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    pid: one.child.pid,
    printers: [
      { name: 'till-1', family: 'A', profile: 'ro', tcp: expect.any(Number) },
      { name: 'till-2', family: 'A', profile: 'ro', tcp: expect.any(Number) },
      { name: 'kiosk-1', family: 'C', profile: 'c4', link: join(folder, 'kiosk-1') },
      { name: 'lab', family: 'B', profile: 'b8', tcp: expect.any(Number) },
    ],
  })
  expect(one.log()).toMatch(
    /^late: TCP port \d+ on 127\.0\.0\.1 cannot be opened: it is already in use\. Stop the program that uses it, or choose another port with --tcp/m,
  )
  expect(existsSync(join(folder, 'kiosk-1'))).toBe(true)
  expect(readdirSync(join(folder, 'kept')).sort()).toEqual(['kiosk-1', 'late', 'till-1', 'till-2'])
  expect(readdirSync(join(folder, 'kept', 'till-2'))).toContain('device-a-ro.sqlite')
  expect(readdirSync(join(folder, 'lab'))).toContain('device-b-b8.sqlite')
  const rules = await fetch(`${ready.panel}/emulator/fleet/lab/faults`).then((answer) => answer.json())
  expect(rules).toMatchObject([{ at: 'paper.line', do: 'paperOut' }])
  // A device stored in its folder keeps its numbers, whatever its position in the fleet file.
  const second = (await fetch(`${ready.panel}/emulator/fleet/till-2`).then((answer) => answer.json())) as Record<
    string,
    unknown
  >
  one.child.kill('SIGTERM')
  expect((await one.ended).status).toBe(0)
  expect(existsSync(join(folder, 'kiosk-1'))).toBe(false)

  const turned = file(
    'turned.yaml',
    'printers: [{name: till-3, family: A, tcp: 0}, {name: till-2, family: A, profile: ro, tcp: 0}]',
  )
  const again = (await emulated('--fleet', turned, '--data', 'kept', '--json').ready()) as unknown as Ready
  const printer = await fetch(`${again.panel}/emulator/fleet/till-2`).then((answer) => answer.json())
  expect(printer).toMatchObject({ serialNumber: second['serialNumber'] })
})

it('--count starts equal printers with numbers as their names, whose ports refuse web pages', async () => {
  const one = emulated('--count', '3', '--family', 'A', '--tcp', '0', '--workers', '2', '--json')
  const { printers } = (await one.ready()) as unknown as Ready
  expect(printers.map(({ name }) => name)).toEqual(['0001', '0002', '0003'])
  const port = Number(printers[1]?.['tcp'])
  const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: 'a page' }).catch(() => undefined)
  expect(answer).toBeUndefined()
  await expect
    .poll(() => one.log())
    .toMatch(/^0002: tcp: .* it sent .*, not this wire protocol\. The rejected bytes did not reach the device\.$/m)
  const till = await tillAt(port)
  await till.receipt()
  till.close()
})

it('--count prints the number of printers and their ports', async () => {
  // Another process may occupy a port in between. The output then lists the second device separately instead of a
  // range.
  const one = emulated('--count', '2', '--family', 'C', '--tcp', '0')
  await expect.poll(() => one.said()).toContain('End with Ctrl+C.')
  expect(one.said()).toMatch(/^fiscal-rig emulates 2 printers of family C\.\n {2}TCP {5}127\.0\.0\.1:\d+/)
  const [, docs = ''] = /^ {2}Docs {4}(http:\S+\/docs)$/m.exec(one.said()) ?? []
  expect((await fetch(docs)).status).toBe(200)
})

describe('a fleet that cannot be started exits with', () => {
  it('status 3 if one printer cannot be started and --strict is set, and if none can be started', async () => {
    const taken = await takenPort()
    const fleetFile = file(
      'strict.yaml',
      `printers: [{name: good, family: A, tcp: 0}, {name: bad, family: A, tcp: ${taken}}]`,
    )
    const strict = await runToEnd(['emulate', '--fleet', fleetFile, '--strict', '--panel-port', '0'], { cwd: folder })
    expect([strict.status, strict.out]).toEqual([3, ''])
    expect(strict.err).toMatch(
      /^bad: .*already in use(?:.|\n)*1 of 2 printers could not be started: bad\. The log line that begins/m,
    )
  })

  it('status 2 for an invalid file, with one line for each problem', async () => {
    const wrong = `printers:
  - {name: "till", count: 3, family: A, tcp: 65534}
  - {name: controls, family: D}
  - {name: "b{n}", family: B, profile: ro, colour: red}
  - {name: lab, family: C, tcp: 7000, faults: gone.yaml}
  - {name: lab, family: C, tcp: 7000}
`
    const first = await refusal({ fleet: join(folder, file('wrong.yaml', wrong)) })
    expect([first.status, messageLines(first)]).toEqual([
      2,
      [
        'printers[1].family: expected A, B or C',
        expect.stringMatching(/^printers\[2\]\.colour: expected one of name, count, .*; this key is unknown$/),
      ],
    ])
    const better = wrong.replace('family: D', 'family: B').replace(', colour: red', '')
    const second = await refusal({ fleet: join(folder, file('better.yaml', better)) })
    expect([second.status, messageLines(second)]).toEqual([
      2,
      [
        'printers[0].name: expected {n} in it, for 3 printers',
        'printers[0].tcp: expected at most 65533, for 3 printers',
        'printers[2].profile: expected b8 or b5 of family B',
        expect.stringMatching(/^printers\[3\]\.faults: .*gone\.yaml: expected a readable list of fault rules/),
        'controls: this name is reserved for a call of the control API',
        'till: the name till is also used by till',
        'till: the name till is also used by till',
        'lab: the name lab is also used by lab',
        'lab: port 7000 is also used by lab',
      ],
    ])
  })

  it.each<[EmulateOptions, string]>([
    [{ count: 3, family: 'A', link: './x' }, '--link: expected {n} in it'],
    [{ count: 3, family: 'A', tcp: 65_534 }, '--tcp: expected at most 65533'],
    [{ count: 3, family: 'A', deviceName: 'x' }, '--device-name: '],
    [{ count: 3, family: 'A', profile: 'b8' }, 'family A has no profile b8'],
    [{ count: 3 }, "required option '--family <A|B|C>' not specified"],
    [{ fleet: 'fleet.yaml', family: 'A' }, '--family: with --fleet'],
    [{ fleet: 'gone.yaml' }, 'gone.yaml: expected a readable list of printers'],
    [{ family: 'A', workers: 2 }, '--workers: requires --count or --fleet'],
  ])('status 2 for %j', async (options, why) => {
    expect(await refusal(options)).toMatchObject({ status: 2, message: expect.stringContaining(why) })
  })
})

const refusal = (options: EmulateOptions): Promise<Exit> =>
  emulate(options).then(
    () => {
      throw new Error('it has started')
    },
    (problem: Exit) => problem,
  )

const messageLines = ({ message }: Exit): string[] =>
  message.split('\n').map((line) => line.replace(/^\S+\.yaml: /, ''))

it('the example of a shop has printers with a service each, and a scenario plays on a printer of the fleet', async () => {
  const recipe = join(import.meta.dirname, '..', '..', 'fixtures', 'fleet', 'shop.mjs')
  const shop = startNode([recipe, '2', '--tcp', '0', '--http-port', '0', '--panel-port', '0'], { cwd: folder })
  running.push(shop)
  const { panel, tills } = (await shop.ready()) as unknown as { panel: string; tills: { name: string; http: string }[] }
  const receipt = { ReceiptItems: [{ Type: 1, PluSale: { PluNumber: 1 } }] }
  const printed = await Promise.all(
    tills.map(({ http }) =>
      fetch(`${http}/print-fiscal-receipt`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(receipt),
      }).then((answer) => answer.json()),
    ),
  )
  expect(printed).toEqual([
    { StatusCode: 200, Data: '1' },
    { StatusCode: 200, Data: '1' },
  ])
  const documents = await fetch(`${panel}/emulator/fleet/documents?content=none`).then((answer) => answer.json())
  expect(documents).toMatchObject([{ kind: 'fiscal' }, { kind: 'fiscal' }])
  shop.child.kill('SIGTERM')
  expect((await shop.ended).status).toBe(0)
})

it('a scenario plays on a printer of the fleet by its name', async () => {
  // The operators' passwords differ from those of the first profile.
  const one = emulated('--count', '2', '--family', 'A', '--profile', 'ro', '--tcp', '0', '--json')
  const { panel } = (await one.ready()) as unknown as Ready
  const scenario = file(
    'sale.yaml',
    `name: a sale on the floor
needs: [hands]
steps:
  - post /open-fiscal-receipt: $opening
  - post /register-plu-sale: {PluNumber: 1}
  - post /payment: {PaymentMode: 0, Amount: 1.20}
  - post /close-fiscal-receipt:
`,
  )
  const golden = join(import.meta.dirname, '..', '..', 'scenarios', 'basic', 'sales.yaml')
  const play = ['run', scenario, '--target', 'fleet:0002', '--panel', panel]
  const { status, out } = await runToEnd([...play, '--reset'], { cwd: folder })
  expect([status, out]).toEqual([0, expect.stringContaining('1 passed')])
  const rows = await fetch(`${panel}/emulator/fleet`).then((answer) => answer.json())
  expect(rows).toMatchObject([{ lastDocument: null }, { lastDocument: { kind: 'fiscal' } }])
  // The golden papers show the serial number of the first device of the profile.
  const collection = ['run', golden, '--only', 'paid in cash', '--target', 'fleet:0002', '--panel', panel, '--reset']
  expect(await runToEnd(collection, { cwd: folder })).toMatchObject({ status: 0 })
  // `--profile bg` names the default profile, so it uses the golden files of family A, not a separate set.
  const named = ['run', golden, '--only', 'paid in cash', '--family', 'A', '--profile', 'bg']
  expect(await runToEnd(named, { cwd: folder })).toMatchObject({ status: 0 })
  const nobody = await runToEnd(['run', scenario, '--target', 'fleet:0009', '--panel', panel], { cwd: folder })
  expect([nobody.status, nobody.err]).toEqual([2, expect.stringContaining('has no printer 0009')])
})
