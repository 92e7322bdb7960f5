import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createEmulator, type Emulator } from '../../emulator/emulator.ts'
import { tillJob, USUAL_JOBS } from '../../scenarios/exam/job.ts'
import { simulatedTime } from '../../scenarios/exam/time.ts'
import { urlTill } from '../../scenarios/exam/url-till.ts'

let server: Server
let emulator: Emulator
let answer: (request: IncomingMessage, response: ServerResponse) => void
const requests: { body: unknown; headers: IncomingMessage['headers'] }[] = []

beforeEach(async () => {
  requests.length = 0
  emulator = createEmulator({ family: 'A' })
  server = createServer((request, response) => {
    let text = ''
    request.on('data', (part) => (text += part))
    request.on('end', () => {
      requests.push({ body: JSON.parse(text), headers: request.headers })
      answer(request, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterEach(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  await emulator.close()
})

function work(timeoutMs = 20_000) {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/print`
  return urlTill(url).open({
    ...{
      caseId: 'powerAfter@sale#2',
      emulator,
      time: simulatedTime(),
      folder: '/nowhere',
      state: '/nowhere',
      baud: 9600,
      timeoutMs,
    },
    ...{ link: '/tmp/printer', host: '127.0.0.1', port: 4999, password: '0000' },
  })
}

const job = tillJob(USUAL_JOBS.first, true)

describe('a till at an address', () => {
  it('gets the job with its own id in every case, and the line in headers', async () => {
    answer = (_, response) => response.end()
    expect(await work().run(job)).toMatchObject({ claim: 'printed', exit: 200 })
    expect(requests).toMatchObject([
      {
        body: { ...USUAL_JOBS.first, id: 'powerAfter@sale#2/first', again: true },
        headers: {
          'content-type': 'application/json',
          'rig-case': 'powerAfter@sale#2',
          'rig-link': '/tmp/printer',
          'rig-tcp': '127.0.0.1:4999',
          'rig-password': '0000',
        },
      },
    ])
  })

  it.each([
    [200, '', { claim: 'printed' }],
    [200, '{"outcome": "unknown", "message": "no answer"}', { claim: 'unknown', message: 'no answer' }],
    [424, 'no paper', { claim: 'failed', output: 'no paper' }],
    [503, '', { claim: 'failed' }],
    [500, '{"outcome": "printed", "receipt": 3}', { claim: 'printed', receipt: '3' }],
    [204, '', { claim: 'unknown' }],
  ])('makes its claim by status and body: %i %s', async (status, body, end) => {
    answer = (_, response) => response.writeHead(status).end(body)
    expect(await work().run(job)).toMatchObject({ ...end, exit: status })
  })

  it('has an unknown outcome if it does not answer', async () => {
    answer = (request) => request.socket.destroy()
    expect(await work().run(job)).toMatchObject({ claim: 'unknown', message: expect.stringMatching(/^no answer: /) })
  })

  it('is reported as hung if it does not answer in time', async () => {
    answer = () => undefined
    expect(await work(200).run(job)).toEqual({ claim: 'hung' })
  })

  it('gets no more requests at the end of its case, even if it does not answer', async () => {
    const till = work()
    const ending = new Promise<void>((resolve) => {
      answer = () => resolve()
    }).then(() => till.close())
    expect(await till.run(job)).toMatchObject({ claim: 'unknown' })
    await ending
    expect(await till.run(job)).toMatchObject({ claim: 'unknown' })
    expect(requests).toHaveLength(1)
  })

  it('cannot be killed, and the exam says so', () => {
    expect(work().kill).toBeUndefined()
  })

  it('that answers endlessly is not read to the end', async () => {
    let written = 0
    answer = (_, response) => {
      const blank = Buffer.alloc(64 * 1024, 0x20)
      const more = (): void => {
        // The client destroys a response that it no longer reads. The till continues until then.
        while (!response.destroyed && written < 256 * 1024 * 1024) {
          written += blank.length
          if (!response.write(blank)) return void response.once('drain', more)
        }
        response.end()
      }
      more()
    }
    expect(await work().run(job)).toEqual({ claim: 'unknown', message: 'no answer: it is longer than 1 MiB' })
    expect(written).toBeLessThan(64 * 1024 * 1024)
  })

  it('that redirects to another address gets no sale at that address', async () => {
    answer = (_, response) => response.writeHead(307, { Location: '/elsewhere' }).end()
    expect(await work().run(job)).toMatchObject({ claim: 'unknown', message: 'status 307', exit: 307 })
    expect(requests).toHaveLength(1)
  })
})
