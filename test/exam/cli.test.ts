import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FAULTS } from '../../scenarios/exam/faults.ts'
import { start, startNode } from '../support/command.ts'
import { runToEnd } from '../support/in-process.ts'
import { until } from '../support/wait-until.ts'

const tills = join(import.meta.dirname, '..', '..', 'fixtures', 'tills')
const clients = join(import.meta.dirname, '..', '..', 'fixtures', 'clients')
const NODE = `node ${join(tills, 'node', 'till.mjs')}`
const PYTHON = `python3 ${join(tills, 'python', 'till.py')}`

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'exam-cli-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const env = () => ({ TMPDIR: folder })
const exam = (...args: readonly string[]) => runToEnd(['exam', '--family', 'A', ...args], { env: env() })
const leftFolders = (): string[] => readdirSync(folder).filter((name) => name.startsWith('fiscal-rig-exam-'))
const leftProcesses = (): string[] =>
  readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/environ`, 'utf8').includes(`RIG_STATE=${folder}/`)
    } catch {
      return false
    }
  })

interface Report {
  readonly [member: string]: unknown
  readonly map: readonly { readonly command: string; readonly n: number }[]
  readonly counts: Readonly<Record<string, number>>
  readonly cases: readonly {
    readonly id: string
    readonly verdict: string
    readonly claims: readonly Readonly<Record<string, unknown>>[]
    readonly repeat: string
    readonly [member: string]: unknown
  }[]
}
const report = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Report

describe('fiscal-rig exam', () => {
  it('lists the cases for the commands that every till sends, and runs nothing', async () => {
    const { status, out } = await exam('--list')
    const ids = out.trim().split('\n')
    const perCommand = FAULTS.filter(({ at }) => at === 'command').length
    expect({ status, count: ids.length }).toEqual({ status: 0, count: 1 + perCommand * 4 + FAULTS.length - perCommand })
    expect(ids).toEqual(expect.arrayContaining(['answerLost@closeFiscal#1', 'killed@saleByPlu#1', 'paperMiddle']))
    expect(ids[0]).toBe('baseline')
    expect((await exam('--list', '--only', 'baseline')).out).toBe('baseline\n')
    expect((await exam('--list', '--only', 'paper', '--only', 'busy@payment')).out.trim().split('\n')).toEqual([
      ...['busy@payment#1', 'paperFirst', 'paperMiddle', 'paperLast', 'paperOutBefore'],
    ])
  })

  it.each([
    [['--list', '--only', 'nothing'], 'there is no such case'],
    [['--till', 'service', '--only', 'nothing'], 'there is no such case; the till sends status#1, '],
    [[], 'give exactly one of --till COMMAND, --till service and --till-url URL'],
    [
      ['--till', 'true', '--till-url', 'http://127.0.0.1:1'],
      'give exactly one of --till COMMAND, --till service and --till-url URL',
    ],
    [['--till-url', 'printer'], 'expected an address that begins with http'],
    [['--till', 'true', '--profile', 'xy'], '--profile xy: expected a profile of family A: bg, ro'],
    [['--till', 'service', '--switch', 'nothing=1'], 'nothing'],
    [['--till', 'true', '--job', '/nowhere.json'], '/nowhere.json cannot be read: it does not exist'],
    [['--till', 'true', '--reporter', 'xml'], 'Must be pretty, json, junit, html'],
  ])('%j is refused as wrong usage', async (args, why) => {
    const { status, err } = await exam(...args)
    expect({ status, err }).toEqual({ status: 2, err: expect.stringContaining(why) })
  })

  it.each([
    ['--output', (place: string) => ['--output', place]],
    ['--reporter', (place: string) => ['--reporter', `html=${place}`, '--reporter', 'json']],
  ])('a file of %s that cannot be written is reported before the till is run', async (_option, options) => {
    const ran = join(folder, 'ran')
    const place = join(folder, 'a-file')
    writeFileSync(place, '')
    const under = join(place, 'report')
    const { status, err } = await exam('--till', `touch ${ran}`, ...options(under))
    expect({ status, err }).toEqual({ status: 3, err: expect.stringContaining(`${under} cannot be written`) })
    expect(await exam('--till', `touch ${ran}`, ...options(folder))).toMatchObject({ status: 3 })
    expect(existsSync(ran)).toBe(false)
  })

  it('reports everything that is wrong with the user’s own sales', async () => {
    const file = join(folder, 'jobs.json')
    const item = { plu: 1, name: 'Bread', taxCode: 1, price: '1.20', quantity: '2.000' }
    const payments = [{ mode: 0, amount: '2.00' }]
    const job = { id: 'one', items: [item], payments, total: '2.50' }
    writeFileSync(file, JSON.stringify({ jobs: [job, { ...job, id: 'two' }] }))
    const { status, err } = await exam('--till', 'true', '--job', file)
    expect({ status, lines: err.trim().split('\n') }).toEqual({
      status: 2,
      lines: [
        `--job ${file}: jobs.0: the items add up to 2.40, but total is 2.50`,
        'jobs.0: the payments add up to 2.00, less than the total 2.50',
        'jobs.1: the items add up to 2.40, but total is 2.50',
        'jobs.1: the payments add up to 2.00, less than the total 2.50',
        'jobs: expected at least two of different ids whose totals differ',
      ],
    })
  })

  it('explains that a till does not print even without a fault', async () => {
    const { status, out } = await exam('--till', 'echo no printer driver; exit 1')
    expect(status).toBe(3)
    expect(out).toContain('STUCK baseline')
    expect(out).toContain('The sale "first" could not be printed.')
    expect((await exam('--till', 'no-such-till', '--reporter', 'json')).status).toBe(3)
  })

  it('detects that a careless till prints twice, and that the careful tills do not', async () => {
    const files = ['careful', 'careless'].map((name) => join(folder, `${name}.json`)) as [string, string]
    const only = ['--only', 'answerLost@closeFiscal#1', '--only', 'killed@closeFiscal#1', '--workers', '2']
    const [careful, careless] = [
      await exam('--till', PYTHON, ...only, '--reporter', `json=${files[0]}`),
      await exam(
        '--till',
        `${NODE} --careless`,
        ...only,
        '--reporter',
        'pretty',
        '--reporter',
        'json',
        '--output',
        files[1],
      ),
    ]
    expect(careful.out).toContain('In all 3 cases the device printed each sale once')
    expect({ careful: careful.status, careless: careless.status }).toEqual({ careful: 0, careless: 1 })
    expect(careless.out).toContain('In 2 of 3 cases this till printed the same sale twice.')
    expect(report(files[0]).counts).toMatchObject({ passed: 3, duplicated: 0, 'not triggered': 0 })

    const result = report(files[1])
    expect(Object.keys(result)).toEqual('family profile till seed depth device tookMs map counts cases'.split(' '))
    expect(result).toMatchObject({
      ...{ family: 'A', profile: 'bg', till: `${NODE} --careless`, seed: 0, depth: 'quick' },
      device: expect.stringMatching(/\w/),
      tookMs: expect.any(Number),
    })
    expect(result.map.map(({ command, n }) => `${command}#${n}`).join(' ')).toContain(
      'openFiscal#1 sale#1 sale#2 payment#1 closeFiscal#1',
    )
    const [baseline, lost] = result.cases
    expect(baseline).toMatchObject({ id: 'baseline', verdict: 'passed' })
    expect(Object.keys(lost ?? {})).toEqual(
      'id group fault command verdict why claims receipts open wire paper repeat'.split(' '),
    )
    expect(lost).toMatchObject({
      ...{ id: 'answerLost@closeFiscal#1', group: 'line', fault: 'answerLost', command: 'closeFiscal' },
      ...{ verdict: 'duplicated', why: 'The device printed "first" twice: receipts 1 and 2.', open: null },
      claims: [
        { job: 'first', again: false, claim: 'failed', message: 'no answer', exit: 0 },
        { job: 'first', again: true, claim: 'printed' },
        { job: 'second', again: false, claim: 'printed' },
      ],
      receipts: [
        { number: 1, total: '5.80', job: 'first' },
        { number: 2, total: '5.80', job: 'first' },
        { number: 3, total: '3.15', job: 'second' },
      ],
      repeat: `npx fiscal-rig exam --family A --till '${NODE} --careless' --depth quick --seed 0 --only 'answerLost@closeFiscal#1'`,
    })
    expect(lost?.['wire']).toEqual(expect.arrayContaining([expect.stringMatching(/ > closeFiscal .*01 30 /)]))
    const paper = (lost?.['paper'] ?? []) as readonly (readonly string[])[]
    expect(paper.map((lines) => lines.some((line) => line.includes('Bread')))).toEqual([true, true, false])
    expect({ folders: leftFolders(), processes: leftProcesses() }).toEqual({ folders: [], processes: [] })
  })

  it('writes each report to its file; the file of --output belongs to the last reporter without a file', async () => {
    const [page, text] = [join(folder, 'exam.html'), join(folder, 'exam.txt')]
    const only = ['--till', 'service', '--only', 'answerLost@closeFiscal#1']
    const reporters = ['--reporter', 'junit', '--reporter', 'pretty', '--reporter', `html=${page}`, '--output', text]
    const { status, out } = await exam(...only, ...reporters)
    expect(status).toBe(0)
    expect(out).toMatch(/^<\?xml .*\n<testsuites name="fiscal-rig exam" tests="2"/)
    expect(readFileSync(page, 'utf8')).toMatch(/^<!doctype html>/)
    expect(readFileSync(text, 'utf8')).toContain('passed answerLost@closeFiscal#1\n')
  })

  it('can be interrupted: the report contains the completed cases, and everything is cleaned up', async () => {
    const file = join(folder, 'interrupted.json')
    const only = ['--only', 'requestLost@closeFiscal#1', '--only', 'answerLostLong@closeFiscal#1', '--workers', '2']
    const args = ['exam', '--family', 'A', '--till', NODE, ...only, '--reporter', `json=${file}`]
    const running = start(args, { env: env() })
    let out = ''
    running.child.stdout?.on('data', (text: string) => (out += text))
    await expect.poll(() => out, { timeout: 60_000 }).toContain('passed requestLost@closeFiscal#1')
    running.child.kill('SIGINT')
    const { status } = await running.ended
    expect(status).toBe(1)
    expect(report(file).cases.map(({ id }) => id)).toEqual(['baseline', 'requestLost@closeFiscal#1'])
    expect({ folders: leftFolders(), processes: leftProcesses() }).toEqual({ folders: [], processes: [] })
  })

  it('uses a fixed line for a till that accepts no other line, and stops at the first failure', async () => {
    const link = join(folder, 'printer')
    const file = join(folder, 'fixed.json')
    const only = ['--only', 'answerLost@closeFiscal#1', '--only', 'requestLost@closeFiscal#1', '--bail']
    const till = `env -u RIG_LINK RIG_LINK=${link} ${PYTHON} --careless`
    const { status } = await exam('--till', till, '--link', link, ...only, '--reporter', `json=${file}`)
    expect({ status, ran: report(file).cases.map(({ id, verdict }) => `${id} ${verdict}`) }).toEqual({
      status: 1,
      ran: ['baseline passed', 'answerLost@closeFiscal#1 duplicated'],
    })
    expect(existsSync(link)).toBe(false)
  })

  it.each([
    ['Python', `/usr/bin/python3 ${join(clients, 'python', 'pos.py')} {link} --sale`],
    ['Node', `node ${join(clients, 'node', 'pos.mjs')} {link} --sale`],
  ])('passes the till of the recipe in %s', async (language, till) => {
    // Debian's Python finds Debian's python3-serial. Without that package the recipe reports the missing module.
    if (language === 'Python' && !existsSync('/usr/lib/python3/dist-packages/serial')) {
      const { out } = await exam('--till', till, '--only', 'baseline')
      expect(out).toContain("No module named 'serial'")
      return
    }
    const only = ['answerLost@payment#1', 'killed@closeFiscal#1', 'unplugged@closeFiscal#1', 'openFiscalBefore']
    const { status, out } = await exam('--till', till, ...only.flatMap((id) => ['--only', id]))
    expect({ status, out }).toEqual({
      status: 0,
      out: expect.stringContaining(
        'In all 5 cases the device printed each sale once, and this till reported it correctly.',
      ),
    })
  })

  it('drives a program that keeps running through an adapter', async () => {
    const file = join(folder, 'resident.json')
    const adapter = startNode([join(tills, 'resident', 'adapter.mjs'), '0', `${NODE} --resident`], { env: env() })
    try {
      const address = await until(() => {
        const [, found] = /listening on (\S+)/.exec(adapter.said()) ?? []
        if (found === undefined) throw new Error('the adapter does not listen yet')
        return found
      })
      const only = ['--only', 'answerLost@closeFiscal#1', '--only', 'killed@closeFiscal#1', '--only', 'portTaken']
      const { status, out } = await exam('--till-url', address, ...only, '--reporter', `json=${file}`)
      expect({ status, out }).toMatchObject({ status: 0 })
      expect(report(file).cases.map(({ id, verdict }) => `${id} ${verdict}`)).toEqual([
        ...[
          'baseline passed',
          'answerLost@closeFiscal#1 passed',
          'killed@closeFiscal#1 not triggered',
          'portTaken passed',
        ],
      ])
    } finally {
      adapter.child.kill()
      await adapter.ended
    }
  })

  it("drives a print service over TCP through an adapter: this project's own service", async () => {
    const port = await freePort()
    const rig = join(import.meta.dirname, '..', '..', 'bin', 'fiscal-rig.ts')
    const ports = `--http-port ${port} --https-port 0`
    const service = `${process.execPath} ${rig} serve --family A --device tcp://{host}:{port} ${ports} --data {state}`
    const address = `http://127.0.0.1:${port}/api/print-fiscal-receipt`
    const till = `SERVICE='${service}' ${process.execPath} ${join(tills, 'http', 'adapter.mjs')} ${address}`
    const { status, out } = await exam('--till', till, '--workers', '1', '--only', 'killed@closeFiscal#1')
    expect({ status, out }).toEqual({
      status: 0,
      out: expect.stringContaining(
        'In all 2 cases the device printed each sale once, and this till reported it correctly.',
      ),
    })
    expect({ folders: leftFolders(), processes: leftProcesses() }).toEqual({ folders: [], processes: [] })
  })
})

describe('a till that uses the REST service', () => {
  const REST = join(tills, 'rest')
  const till = (...words: readonly string[]) =>
    `node ${join(REST, 'adapter.mjs')} "node ${join(REST, 'till.mjs')} {url} ${words.join(' ')}"`

  it('is tested through the adapter that starts the service: the careful till passes, the careless till sells twice', async () => {
    const files = ['sound', 'careless'].map((name) => join(folder, `rest-${name}.json`)) as [string, string]
    const only = ['killed@closeFiscal#1', 'answerLostLong@closeFiscal#1'].flatMap((id) => ['--only', id])
    const sound = await exam('--till', till(), ...only, '--workers', '2', '--reporter', `json=${files[0]}`)
    const verdicts = (file: string) => report(file).cases.map(({ id, verdict }) => `${id} ${verdict}`)
    expect({ status: sound.status, verdicts: verdicts(files[0]) }).toEqual({
      status: 0,
      verdicts: ['baseline passed', 'answerLostLong@closeFiscal#1 passed', 'killed@closeFiscal#1 passed'],
    })
    const careless = await exam(
      '--till',
      till('--careless'),
      ...only,
      '--workers',
      '2',
      '--reporter',
      `json=${files[1]}`,
    )
    expect({ status: careless.status, verdicts: verdicts(files[1]) }).toEqual({
      status: 1,
      verdicts: ['baseline passed', 'answerLostLong@closeFiscal#1 duplicated', 'killed@closeFiscal#1 duplicated'],
    })
    expect({ folders: leftFolders(), processes: leftProcesses() }).toEqual({ folders: [], processes: [] })
  })

  it('gets no verdict if the service cannot be started', async () => {
    const { status, out } = await exam('--till', `FISCAL_RIG=false ${till()}`)
    expect(status).toBe(3)
    expect(out).toContain('the service has ended with status 1')
    expect(out).toContain('crashed, exit status 3')
  })
})

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer()
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}
