import { readFileSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { start } from '../support/command.ts'
import { runToEnd } from '../support/in-process.ts'

const root = join(import.meta.dirname, '..', '..')
const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8')
interface Service {
  readonly command: readonly string[]
  readonly ports?: readonly string[]
  readonly image: string
  readonly cap_drop?: readonly string[]
}
const { services } = parse(readFileSync(join(root, 'compose.yaml'), 'utf8'), { merge: true }) as {
  services: Readonly<Record<string, Service>>
}
const ours = Object.entries(services).filter(([, { image }]) => image === 'fiscal-rig')

const instructions = dockerfile
  .slice(dockerfile.lastIndexOf('\nFROM '))
  .replaceAll(/\\\n/g, ' ')
  .split('\n')
  .filter((line) => /^[A-Z]+ /.test(line))

describe('the container image', () => {
  it('runs the tested script, and nothing as root after it', () => {
    const words = instructions.map((line) => line.split(' ')[0])
    expect(instructions.filter((line) => line.startsWith('RUN'))).toEqual(['RUN sh /tmp/setup.sh && rm /tmp/setup.sh'])
    expect(words.indexOf('USER')).toBeGreaterThan(words.lastIndexOf('RUN'))
    expect(instructions).toContain('USER fiscal')
    expect(words).toContain('HEALTHCHECK')
    expect(words).not.toContain('ADD')
  })

  it('can be reached from inside only, unless configured otherwise', () => {
    const command = JSON.parse(instructions.find((line) => line.startsWith('CMD'))?.slice(4) ?? '') as string[]
    expect(command).toEqual(['serve', '--data', '/data'])
  })

  it('has only built parts of the checkout, because the build ignores what is installed here', () => {
    const ignored = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n')
    expect(ignored).toEqual(expect.arrayContaining(['.git', 'node_modules', 'dist', 'fiscal-rig-data']))
  })
})

describe('the file compose.yaml', () => {
  it('has a service, an emulated device on TCP, and a campaign with Redis', () => {
    expect(Object.keys(services)).toEqual(['service', 'emulator', 'redis', 'worker', 'campaign'])
    expect(ours.map(([, { command }]) => command[0])).toEqual(['serve', 'emulate', 'worker', 'check'])
  })

  it('publishes ports on this machine only, and drops the rights of each of its containers', () => {
    for (const { ports = [] } of Object.values(services))
      for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:\d+:\d+$/)
    for (const [, { cap_drop }] of ours) expect(cap_drop).toEqual(['ALL'])
  })

  it.each(ours)('has options for %s that the command knows', async (_name, { command }) => {
    const help = await runToEnd([command[0] ?? '', '--help'])
    for (const option of command.filter((word) => word.startsWith('--'))) expect(help.out).toContain(option)
  })
})

describe('a recipe of Testcontainers', () => {
  const line = (file: string, constants: Readonly<Record<string, string>>): readonly string[] => {
    const text = readFileSync(join(root, 'fixtures', 'clients', 'testcontainers', file), 'utf8')
    const [, words = ''] = /\.withCommand\(([\s\S]*?)\)\s*\n\s*(?:\.|\/\/)/.exec(text) ?? []
    return [...words.matchAll(/String\((\w+)\)|(["'])(.*?)\2/g)].map(
      ([, constant, , word]) => word ?? constants[constant ?? ''] ?? '',
    )
  }

  it.each([
    ['printer.test.mts', line('printer.test.mts', { LINE: '4999' })],
    ['PrinterTest.java', line('PrinterTest.java', {})],
  ])('%s starts a printer that other containers reach by its name', async (_file, words) => {
    expect(words).toContain('4999')
    const device = start([...words.map((word) => (word === '4999' ? '0' : word)), '--panel-port', '0', '--json'])
    try {
      const { panel } = await device.ready()
      const documents = await new Promise<string>((resolve, reject) => {
        const call = get(`${panel}/emulator/documents`, { headers: { Host: 'printer' } }, async (answer) => {
          resolve(`${answer.statusCode} ${(await answer.toArray()).join('')}`)
        })
        call.once('error', reject)
      })
      expect(documents).toBe('200 []')
    } finally {
      device.child.kill('SIGTERM')
      await device.ended
    }
  })
})
