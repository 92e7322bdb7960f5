/** The device on a real pty: real socat, real time, and the operating system's serial binding as the host. */
import {
  closeSync,
  constants,
  existsSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLink } from '../../drivers/link/link.ts'
import { serialPort } from '../../drivers/link/port.ts'
import { systemClock } from '../../drivers/model/clock.ts'
import { openPty, type PtyLine } from '../../emulator/line/pty.ts'
import { startModule } from '../support/command.ts'
import { plainLoop } from '../support/plain-loop.ts'
import { plainAsk, plainRules } from '../support/plain-wire.ts'

/** Twice the idle time after which emulator/line/unread-answers.ts checks a line, in ms. */
const LOOKED_MS = 600

let folder: string
let link: string
const lines: PtyLine[] = []
const log: string[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pty-'))
  link = join(folder, 'printer')
  log.length = 0
})
afterEach(async () => {
  await Promise.all(lines.splice(0).map((line) => line.close()))
  rmSync(folder, { recursive: true, force: true })
})

async function device(path = link): Promise<PtyLine> {
  const { loop } = plainLoop(systemClock)
  const line = await openPty({ link: path, attach: (end) => loop.attach(end), log: (text) => log.push(text) })
  lines.push(line)
  return line
}

const host = (path = link) =>
  createLink(plainRules(), serialPort(path, 115_200, systemClock), { path, clock: systemClock })

/** Returns the socat processes of this test's folder. */
const children = (): string[] =>
  readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false
    try {
      return (
        readFileSync(`/proc/${pid}/cmdline`, 'latin1').startsWith('socat') &&
        readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`PWD=${folder}`)
      )
    } catch {
      return false
    }
  })

describe('a device on a pty', () => {
  it('answers every program that opens its link', async () => {
    await device()
    const asking = host()
    const { frames } = await asking.ask(plainAsk('1', 'say hi'), { name: 'say' })
    expect(frames).toEqual([{ number: '1', text: 'said hi' }])
    await asking.close()
  })

  it('can be opened and closed by its clients many times', async () => {
    await device()
    for (let round = 0; round < 40; round++) {
      const number = 'abcdefghijklmnopqrst'[round % 20] as string
      const asking = host()
      expect((await asking.ask(plainAsk(number, 'say x'), { name: 'say' })).frames[0]?.number).toBe(number)
      await asking.close()
    }
    expect(log).toEqual([])
  })

  it('gives a client in its own process as much time to read as any other client', async () => {
    await device()
    const client = openSync(link, constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK)
    writeSync(client, plainAsk('1', 'say hi'))
    // The idle time after which the device checks a line for unread bytes has passed.
    await new Promise((later) => setTimeout(later, LOOKED_MS))
    const buffer = Buffer.alloc(256)
    expect(buffer.toString('latin1', 0, readSync(client, buffer))).toContain('said hi')
    closeSync(client)
    expect(log).toEqual([])
  })

  it('removes its link when it is closed', async () => {
    const line = await device()
    await line.close()
    expect(existsSync(link)).toBe(false)
  })

  it('replaces a stale link', async () => {
    symlinkSync('/dev/pts/99999', link)
    await device()
    expect(lstatSync(link).isSymbolicLink()).toBe(true)
    expect(await host().ping(Buffer.from('?'), () => true, 20)).toBeUndefined()
  })

  it('does not replace a real file', async () => {
    writeFileSync(link, 'mine')
    await expect(device()).rejects.toThrow('is not a link')
    expect(readFileSync(link, 'utf8')).toBe('mine')
  })

  it('does not replace a link that leads to another device', async () => {
    symlinkSync('/etc/hostname', link)
    await expect(device()).rejects.toThrow('which is not a pty')
  })

  it('does not replace the link of a running device', async () => {
    await device()
    await expect(device()).rejects.toThrow('in use by another emulator')
  })

  it('reports a missing folder', async () => {
    await expect(device(join(folder, 'none', 'printer'))).rejects.toThrow(
      /cannot make a pty at .*: there is no folder .*\/none$/,
    )
  })

  it('accepts characters in the name that socat would interpret', async () => {
    const odd = join(folder, 'till 1,A:b')
    await device(odd)
    const asking = host(odd)
    expect((await asking.ask(plainAsk('1', 'say hi'), { name: 'say' })).frames[0]?.text).toBe('said hi')
    await asking.close()
  })

  it('disappears with the cable and returns with it, under the same name', async () => {
    const line = await device()
    const asking = host()
    await asking.ask(plainAsk('1', 'say a'), { name: 'say' })
    await line.setConnected(false)
    expect(existsSync(link)).toBe(false)
    await expect.poll(() => asking.isOpen).toBe(false)
    await expect(asking.ask(plainAsk('2', 'say b'), { name: 'say' })).rejects.toThrow('Cannot open port')
    await line.setConnected(true)
    expect((await asking.ask(plainAsk('3', 'say c'), { name: 'say' })).frames[0]?.text).toBe('said c')
    await asking.close()
  })

  it('ends socat when its own process is killed', async () => {
    const program = `
      import { openPty } from ${JSON.stringify(join(import.meta.dirname, '../../emulator/line/pty.ts'))}
      await openPty({ link: ${JSON.stringify(link)}, attach: () => ({ receive() {}, whenQuiet() {}, detach() {} }), log() {} })
      console.log('{}')
      setInterval(() => undefined, 1000)
    `
    const { child, ready } = startModule(program, { cwd: folder, env: { PWD: folder } })
    await ready()
    expect(children()).toHaveLength(1)
    child.kill('SIGKILL')
    await expect.poll(children).toEqual([])
    await expect.poll(() => existsSync(link)).toBe(false)
  })
})
