import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEmulator, type Emulator } from '../../emulator/emulator.ts'
import { comparePassports } from '../../scenarios/passport/compare-passports.ts'
import { passportText, readPassport } from '../../scenarios/passport/passport-format.ts'
import { start } from '../support/command.ts'
import { runToEnd } from '../support/in-process.ts'
import { passportOf } from './record-passport.ts'

const LONG = { timeout: 90_000 }

let folder: string
let emulator: Emulator
let device: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'passport-'))
  emulator = createEmulator({ family: 'B', options: { partialFrame: 'nak' } })
  device = `tcp://127.0.0.1:${(await emulator.listenTcp(0)).port}`
})
afterAll(async () => {
  await emulator.close()
  rmSync(folder, { recursive: true, force: true })
})

const passport = (...options: string[]) => start(['passport', ...options], { cwd: folder }).ended
const nothingPrinted = () => expect(emulator.device.counters).toMatchObject({ lastDocument: 0, nonFiscal: 0 })
const read = (file: string) => readPassport(file, readFileSync(join(folder, file), 'utf8'))

describe('a passport', () => {
  it('is written and summarized, and produces the same device again', LONG, async () => {
    const { status, out, err } = await passport('--device', device)
    expect({ status, err }).toMatchObject({ status: 0 })
    const file = 'passport-EmuB58-DY000001.yaml'
    expect(readdirSync(folder)).toContain(file)
    expect(err).toContain(`The passport is in ${file}.`)
    expect(out).toContain('EmuB58, family B, profile b8, at depth read')
    expect(out).toContain('partialFrame=nak')
    nothingPrinted()
    const first = read(file)
    expect(first.line.baud).toBeUndefined()

    const again = start(
      ['emulate', '--passport', file, '--tcp', '0', '--panel-port', '0', '--data', 'memory', '--json'],
      {
        cwd: folder,
      },
    )
    const { tcp } = await again.ready()
    const taken = await passport(
      '--device',
      `tcp://127.0.0.1:${tcp}`,
      '--family',
      'B',
      '--reporter',
      'json',
      '--output',
      'again.yaml',
    )
    again.child.kill('SIGTERM')
    await again.ended
    expect(taken.status).toBe(0)
    expect(JSON.parse(taken.out)).toMatchObject({ file: 'again.yaml', passport: 1, complete: true })
    expect(comparePassports(first, read('again.yaml'))).toEqual([])

    expect(await passport('compare', file, 'again.yaml')).toMatchObject({
      status: 0,
      out: 'The passports are equal.\n',
    })
    writeFileSync(
      join(folder, 'other.yaml'),
      readFileSync(join(folder, file), 'utf8')
        .replace('partialFrame: nak', 'partialFrame: silence')
        .replaceAll('partialFrame=nak', 'partialFrame=silence'),
    )
    const compared = await passport('compare', file, 'other.yaml')
    expect(compared).toMatchObject({ status: 1, out: 'switches.partialFrame: nak, silence\n' })

    writeFileSync(
      join(folder, 'wrong.yaml'),
      readFileSync(join(folder, file), 'utf8').replace('passport: 1', 'passport: 7'),
    )
    const refused = await runToEnd(['emulate', '--passport', 'wrong.yaml'], { cwd: folder })
    expect(refused.status).toBe(2)
    expect(refused.err).toMatch(/^wrong\.yaml:3: is in format 7/)
    const contradicted = await runToEnd(['emulate', '--family', 'A', '--passport', file], { cwd: folder })
    expect(contradicted).toMatchObject({
      status: 2,
      err: `--family A: ${file} describes a device of family B; omit --family\n`,
    })
    const played = await runToEnd(
      [
        'run',
        join(import.meta.dirname, '..', '..', 'scenarios', 'basic', 'sales.yaml'),
        '--passport',
        file,
        '--only',
        'article',
      ],
      { cwd: folder },
    )
    expect(played).toMatchObject({ status: 0 })
  })

  it('defines the device of serve', LONG, async () => {
    await passport('--device', device, '--output', 'served.yaml')
    const served = readFileSync(join(folder, 'served.yaml'), 'utf8').replaceAll('DY000001', 'DY000777')
    writeFileSync(join(folder, 'served.yaml'), served)
    const options = [
      '--passport',
      'served.yaml',
      '--data',
      'memory',
      '--no-https',
      '--http-port',
      '0',
      '--panel-port',
      '0',
    ]
    const service = start(['serve', ...options, '--json'], { cwd: folder })
    const { http, panel } = await service.ready()
    const printed = await fetch(`${http}/print-fiscal-receipt`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ ReceiptItems: [{ Type: 1, PluSale: { PluNumber: 1, Quantity: 1 } }] }),
    })
    expect(await printed.json()).toEqual({ StatusCode: 200, Data: '1' })
    expect(await (await fetch(`${panel}/emulator/documents/1.txt`)).text()).toContain('DY000777')
    service.child.kill('SIGTERM')
    await service.ended
  })

  it('defines the device on which exam tests a till', LONG, async () => {
    const { passport: taken } = await passportOf({ family: 'B', profile: 'b5', identity: { serialNumber: 'DY777777' } })
    writeFileSync(join(folder, 'examined.yaml'), passportText(taken))
    const how = ['--till', 'service', '--only', 'baseline', '--reporter', 'json=exam.json']
    const ended = await runToEnd(['exam', '--passport', 'examined.yaml', ...how], { cwd: folder })
    expect(ended).toMatchObject({ status: 0 })
    const report = readFileSync(join(folder, 'exam.json'), 'utf8')
    expect(JSON.parse(report)).toMatchObject({ family: 'B', profile: 'b5' })
    expect(report).toContain('DY777777')
    expect(report).toContain('exam --family B --passport examined.yaml')
  })

  it('is not complete after an interrupt', LONG, async () => {
    const running = start(['passport', '--device', device, '--family', 'B', '--output', 'cut.yaml'], { cwd: folder })
    while (!running.log().includes('commands')) await new Promise((resolve) => setTimeout(resolve, 5))
    running.child.kill('SIGINT')
    const { status, err } = await running.ended
    expect({ status, err }).toMatchObject({ status: 130 })
    expect(read('cut.yaml').complete).toBe(false)
    nothingPrinted()
  })
})

describe('the command passport without consent', () => {
  it.each([
    [['--depth', 'print'], '--depth print prints on the device: confirm with --yes. Nothing was sent.'],
    [['--depth', 'fiscal'], '--depth fiscal prints fiscal receipts: confirm with --yes-fiscal. Nothing was sent.'],
    [['--depth', 'fiscal', '--yes'], '--depth fiscal prints fiscal receipts: confirm with --yes-fiscal.'],
    [['--depth', 'print', '--z', '--yes'], '--z closes the day and requires --depth fiscal'],
  ] as const)('prints nothing: %j', LONG, async (options, sentence) => {
    const frames = emulator.frames().length
    const { status, err } = await passport('--device', device, '--family', 'B', ...options)
    expect(status).toBe(2)
    expect(err).toContain(sentence)
    nothingPrinted()
    if (sentence.includes('Nothing was sent')) expect(emulator.frames().length).toBe(frames)
  })
})

describe('the command passport', () => {
  it.each([
    [[], 2, "required option '--device <DEVICE>' not specified"],
    [['--dry-run'], 2, '--dry-run queries no device and requires --family'],
    [['--device', 'tcp://127.0.0.1:1', '--family', 'A'], 3, 'ECONNREFUSED'],
    [['--device', '/dev/none'], 3, '/dev/none cannot be opened'],
    [['--device', '/dev/none', '--family', 'A', '--profile', 'b8'], 2, '--profile: family A has bg, ro'],
    [['--device', '/dev/none', '--depth', 'deep'], 2, 'deep'],
    [['--device', '/dev/none', '--profile', 'zz'], 2, '--profile: expected one of bg, ro, b8'],
    [['--device', 'tcp://127.0.0.1:1', '--profile', 'ro'], 3, 'ECONNREFUSED'],
    [['--device', 'tcp://127.0.0.1:1', '--output', ''], 2, '--output: expected the name of a file'],
  ] as const)('with %j ends with exit status %i', LONG, async (options, status, sentence) => {
    const ended = await passport(...options)
    expect(ended).toMatchObject({ status })
    expect(ended.err).toContain(sentence)
  })

  it('lists with --dry-run what it would send', LONG, async () => {
    const { status, out } = await passport('--dry-run', '--family', 'C', '--depth', 'print')
    expect(status).toBe(0)
    expect(out).toContain('Family C, profile c4, depth print')
    expect(out).toContain('deviceNumbers.good.idle')
    expect(out).not.toContain('openFiscal')
  })
})
