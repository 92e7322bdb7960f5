/** A real Redis server on a free port, with a password. Its data is in an append-only file in a temporary folder. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

export const hasRedis: boolean = (process.env['PATH'] ?? '')
  .split(delimiter)
  .some((folder) => existsSync(join(folder, 'redis-server')))

export interface RedisServer {
  readonly port: number
  start(): Promise<void>
  kill(): Promise<void>
  end(): Promise<void>
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** `options` are added to the command line unchanged. */
export async function redisServer(options: readonly string[]): Promise<RedisServer> {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'fiscal-rig-redis-'))
  const own = ['--bind', '127.0.0.1', '--port', String(port), '--dir', folder, '--save', '', '--appendonly', 'yes']
  let child: ChildProcess | undefined
  const kill = async (): Promise<void> => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  return {
    port,
    async start() {
      const started = spawn('redis-server', [...own, ...options], { stdio: ['ignore', 'pipe', 'pipe'] })
      child = started
      let output = ''
      started.stderr.resume()
      for await (const text of started.stdout.setEncoding('utf8')) {
        output += text
        if (output.includes('Ready to accept connections')) {
          // A full pipe would stop the server, so its output is read to the end.
          started.stdout.resume()
          return
        }
      }
      throw new Error(`redis-server ended before it was ready:\n${output}`)
    },
    kill,
    async end() {
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
