/**
 * The procedure of server/docs/guide/running-the-service.md with programs: the mock platform issues a token, and the
 * service prints an order.
 */
import { createHmac } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Running, start } from '../support/command.ts'

const CONFIG = readFileSync(new URL('../../fixtures/orders/mock-platform.yaml', import.meta.url), 'utf8')

let folder: string
let mockPlatform: Running
let url: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fiscal-rig-orders-'))
  mockPlatform = start(['mock-platform', '--port', '0', '--json'], { cwd: folder })
  url = String((await mockPlatform.ready())['url'])
})
afterAll(async () => {
  mockPlatform.child.kill('SIGTERM')
  expect((await mockPlatform.ended).status).toBe(0)
  rmSync(folder, { recursive: true })
})

describe.each(['A', 'B', 'C'])('on family %s', (family) => {
  it('an order over HTTP and lines of both legacy formats are printed', async () => {
    const config = join(folder, `${family}.yaml`)
    writeFileSync(config, `${CONFIG.replaceAll('http://127.0.0.1:4010', url)}legacy: {plu: [{taxCode: 2, plu: 2}]}\n`)
    const ports = ['--http-port', '0', '--https-port', '0', '--panel-port', '0']
    const serve = start(['serve', '--family', family, '--data', 'memory', '--config', config, '--json', ...ports], {
      cwd: folder,
    })
    const api = String((await serve.ready())['http'])
    const token = await (await fetch(`${url}/mock-platform/token`)).text()
    const printed = await fetch(`${api}/print-platform-order/5600000007007`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}` },
    })
    expect(await printed.json()).toEqual({ StatusCode: 200, Data: expect.stringMatching(/^\d+$/) })
    for (const lines of [
      ['S^Paine^350^1000^buc^2^1', 'P^1^350'],
      ['S,1,______,_,__;Ceai;6.50;1.000;1;1;2;0;0;buc', 'T,1,______,_,__;'],
    ]) {
      const receipt = await fetch(`${api}/Receipt`, { method: 'POST', body: JSON.stringify(lines) })
      expect(await receipt.json()).toMatchObject({ ReceiptStatus: 'true', ErrorCode: '' })
    }
    const described = (await (await fetch(`${api}/openapi.json`)).json()) as { paths: object }
    expect(Object.keys(described.paths)).toEqual(
      expect.arrayContaining(['/Receipt', '/get-platform-order/{orderId}', '/print-platform-order/{orderId}']),
    )
    serve.child.kill('SIGTERM')
    expect((await serve.ended).status).toBe(0)
  })
})

it('the mock platform signs with its own secret, and with the configured secret only on request', async () => {
  const secret = 'the-secret-of-the-real-application'
  const config = join(folder, 'real.yaml')
  writeFileSync(config, CONFIG.replace(/clientSecret: .*/, 'clientSecret: {env: RIG_SECRET}'))
  const isSignedWith = async (key: string, ...more: string[]) => {
    const program = start(['mock-platform', '--port', '0', '--config', config, '--json', ...more], {
      cwd: folder,
      env: { RIG_SECRET: secret },
    })
    const token = await (await fetch(`${(await program.ready())['url']}/mock-platform/token`)).text()
    program.child.kill('SIGTERM')
    await program.ended
    const [head, body, signature] = token.split('.')
    return createHmac('sha256', key).update(`${head}.${body}`).digest('base64url') === signature
  }
  expect(await isSignedWith(secret)).toBe(false)
  expect(await isSignedWith('a-secret-for-demonstrations-only')).toBe(true)
  expect(await isSignedWith(secret, '--use-config-secret')).toBe(true)
})
