import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FREE_PORTS, type Running, start, startModule, startProgram } from '../support/command.ts'
import { has, needing } from '../support/required-program.ts'
import { until } from '../support/wait-until.ts'

let folder: string
const running: Running[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'manager-'))
})
afterEach(async () => {
  for (const { child, ended } of running.splice(0)) {
    child.kill('SIGKILL')
    await ended
  }
  rmSync(folder, { recursive: true, force: true })
})

const LIBRARY = join(import.meta.dirname, '..', '..', 'bin', 'library.ts')
const PROGRAM = join(import.meta.dirname, '..', '..', 'bin', 'fiscal-rig.ts')
const SERVE = ['serve', '--data', 'memory', '--no-https', ...FREE_PORTS]

describe('the command serve --print-unit', () => {
  const unit = (...args: string[]) => start(['serve', ...args], { cwd: folder }).ended

  it('prints a unit for this command line, and starts nothing', async () => {
    const { out, status } = await unit('--data', 'memory', '--http-port', '8080', '--print-unit')
    expect(status).toBe(0)
    expect(out).toMatch(/^# Save as \/etc\/systemd\/system\/fiscal-rig\.service/)
    const program = `${process.execPath} ${PROGRAM}`
    expect(out).toContain(`\nExecStart=${program} serve --data memory --http-port 8080\nWorkingDirectory=${folder}\n`)
    for (const line of ['Type=notify', 'NotifyAccess=all', 'WatchdogSec=60', 'WantedBy=multi-user.target'])
      expect(out).toContain(`\n${line}\n`)
    const user = await unit('--print-unit', 'user', '--data', 'a b%')
    expect(user.out).toContain('serve --data "a b%%"\n')
    expect(user.out).toContain('WantedBy=default.target')
    expect(user.out).not.toContain('User=')
    expect((await unit('--print-unit', '--http-port', 'no')).status).toBe(2)
  })

  needing('systemd-analyze', has('systemd-analyze'))('prints a unit that systemd-analyze accepts', async () => {
    for (const kind of ['system', 'user']) {
      const file = join(folder, `fiscal-rig-${kind}.service`)
      writeFileSync(file, (await unit('--data', 'memory', '--print-unit', kind)).out)
      const { out, err } = await startProgram('systemd-analyze', ['verify', `--${kind}`, file], {
        env: { XDG_RUNTIME_DIR: folder },
      }).ended
      expect(`${out}${err}`).not.toContain(`fiscal-rig-${kind}.service:`)
    }
  })
})

describe('a service of systemd', () => {
  needing('systemd-notify', has('systemd-notify') && has('socat'))(
    'says that it is ready, that it is alive, and that it ends',
    async () => {
      const [socket, received] = [join(folder, 'notify'), join(folder, 'heard')]
      const manager = spawn('socat', ['-u', `UNIX-RECV:${socket}`, `OPEN:${received},creat,append`], {
        stdio: 'ignore',
      })
      try {
        await until(() => expect(existsSync(socket)).toBe(true))
        const env = { NOTIFY_SOCKET: socket, WATCHDOG_USEC: '200000', WATCHDOG_PID: undefined }
        const service = start([...SERVE, '--json'], { cwd: folder, env })
        running.push(service)
        const { pid } = await service.ready()
        const notifications = () => (existsSync(received) ? readFileSync(received, 'utf8') : '')
        await until(() =>
          expect(notifications()).toMatch(new RegExp(`READY=1[^]*MAINPID=${pid}|MAINPID=${pid}[^]*READY=1`)),
        )
        await until(() => expect(notifications().match(/WATCHDOG=1/g)?.length).toBeGreaterThan(2))
        service.child.kill('SIGTERM')
        expect((await service.ended).status).toBe(0)
        await until(() => expect(notifications()).toContain('STOPPING=1'))
      } finally {
        manager.kill()
      }
    },
  )

  it('continues without systemd-notify, and reports that once', async () => {
    const env = { NOTIFY_SOCKET: join(folder, 'none'), WATCHDOG_USEC: '20000', PATH: folder }
    const service = start([...SERVE, '--json'], { cwd: folder, env })
    running.push(service)
    const { http } = await service.ready()
    await until(() => expect(service.log()).toContain('Install systemd-notify. Or set Type=exec'))
    expect((await fetch(`${http}/get-local-api-address`)).status).toBe(200)
    expect(service.log().match(/Type=exec/g)).toHaveLength(1)
  })
})

const untilClosed = (port: string | number) =>
  until(async () => {
    const socket = connect(Number(port), '127.0.0.1')
    const end = await Promise.race([once(socket, 'connect'), once(socket, 'error').then(() => 'refused')]).catch(
      () => 'refused',
    )
    socket.destroy()
    expect(end).toBe('refused')
  })

describe('a service whose parent is killed', () => {
  it('ends with its parent if it has the option --exit-with-parent', async () => {
    const parent = startModule(`
      import { spawn } from 'node:child_process'
      const args = ${JSON.stringify([PROGRAM, ...SERVE, '--json', '--exit-with-parent'])}
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 2] })
      child.stdout.pipe(process.stdout)
      setInterval(() => undefined, 1000)`)
    running.push(parent)
    const { http, pid } = await parent.ready()
    parent.child.kill('SIGKILL')
    await untilClosed(new URL(String(http)).port)
    await until(() => expect(() => process.kill(Number(pid), 0)).toThrow())
  })

  it('in the library ends with its process: ports, and the terminal with its link', async () => {
    const link = join(folder, 'printer')
    const parent = startModule(`
      import { startPrinter, startService } from ${JSON.stringify(LIBRARY)}
      const printer = await startPrinter({ family: 'A' })
      await printer.link(${JSON.stringify(link)})
      const { port } = await printer.listen({ port: 0 })
      const { url } = await startService({ printer })
      console.log(JSON.stringify({ url, port }))`)
    running.push(parent)
    const { url, port } = await parent.ready()
    expect(existsSync(link)).toBe(true)
    parent.child.kill('SIGKILL')
    await untilClosed(new URL(String(url)).port)
    await untilClosed(Number(port))
    await until(() => expect(existsSync(link)).toBe(false))
  })
})

describe('a test of node:test that does not close its printer', () => {
  it('names what keeps its process running', async () => {
    const file = join(folder, 'forgotten.test.mjs')
    writeFileSync(
      file,
      `import { test } from 'node:test'
      import { startPrinter, startService } from ${JSON.stringify(LIBRARY)}
      test('prints', async () => {
        const printer = await startPrinter({ family: 'A' })
        const { url } = await startService({ printer })
        await fetch(url + '/get-local-api-address')
      })`,
    )
    for (const args of [[file], ['--test', file]]) {
      const tests = startProgram(process.execPath, args, { env: { NODE_TEST_CONTEXT: undefined } })
      running.push(tests)
      await until(() => expect(tests.said() + tests.log()).toContain('a service of fiscal-rig is open'))
      tests.child.kill('SIGKILL')
    }
  })
})
