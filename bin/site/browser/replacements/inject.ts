/** Replaces scenarios/runner/inject.ts in a browser: sends a request to an app in this worker. */
import type { HttpAnswer, HttpCall, Pending } from '../../../../scenarios/runner/inject.ts'
import { ByteBuffer } from './buffer.ts'
import type { App } from './express.ts'
import { Request, Response } from './http-messages.ts'

export type { HttpAnswer, HttpCall, Pending } from '../../../../scenarios/runner/inject.ts'

export function inject(app: App, { method, path, headers = {}, body }: HttpCall): Pending {
  let hangUp = (): void => undefined
  const answer = new Promise<HttpAnswer | undefined>((resolve) => {
    const pieces: Uint8Array[] = []
    let head: Pick<HttpAnswer, 'status' | 'headers'> = { status: 0, headers: {} }
    const request = new Request({ method, path, headers: Object.entries({ host: '127.0.0.1', ...headers }), body })
    const response = new Response(request, {
      head(status, all) {
        head = { status, headers: Object.fromEntries(all.map(([name, value]) => [name.toLowerCase(), value])) }
      },
      piece: (bytes) => void pieces.push(bytes),
      end: () => resolve({ ...head, text: ByteBuffer.concat(pieces).toString('utf8') }),
    })
    hangUp = () => {
      response.destroy()
      resolve(undefined)
    }
    app(request, response)
  })
  return { answer, hangUp: () => hangUp() }
}
