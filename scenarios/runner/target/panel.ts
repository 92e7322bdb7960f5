import type { Client } from '../../../emulator/panel/contract.ts'
import { clientOver } from '../../../emulator/panel/http-calls.ts'
import type { HttpAnswer, HttpCall } from '../inject.ts'

/** `at` is the path prefix of the device, if the API controls several. Rejects with the message of the API. */
export const panelClient = (send: (call: HttpCall) => Promise<HttpAnswer | undefined>, at?: string): Client =>
  clientOver(async (request) => {
    const answer = await send(request)
    if (!answer) throw new Error('the control API did not answer: check that the emulated device is still running')
    const type = answer.headers['content-type'] ?? ''
    if (answer.status < 300 && /^(?:text|image)\//.test(type)) return answer.text
    const json: unknown = answer.text === '' ? undefined : JSON.parse(answer.text)
    if (answer.status < 300) return json
    const error = typeof json === 'object' && json !== null && 'error' in json ? String(json.error) : answer.text
    throw new Error(`the control API answered ${answer.status}: ${error}`)
  }, at)
