import { clientOver, printerAt } from '../../request.ts'

/** The control interface as the page uses it. */

/** A browser writes an error line for each 4xx, and what the device refuses is no error of this page (panel.ts). */
const REFUSAL = 'refusal=ok'

const [, place, printer] = location.pathname.split('/')

/** The page of many printers; `/floor/NAME` is that of one of them. */
export const isFloor = place === 'floor' && !printer
/** The printer of a floor whose page this is; undefined: the device is the only one. */
export const printerName = place === 'floor' && printer ? decodeURIComponent(printer) : undefined
/** Where the calls of the device begin. */
export const at = printerName === undefined ? '/emulator' : printerAt(printerName)

/** Rejects with the device's own sentence. */
export const call = clientOver(async ({ method, path, body }) => {
  const response = await reach(path, { method, headers: { Prefer: REFUSAL }, ...(body !== undefined && { body }) })
  const isJson = response.headers.get('Content-Type')?.startsWith('application/json')
  if (response.ok && !isJson) return response.text()
  const answer = isJson ? await response.json() : undefined
  const isRefused = response.headers.get('Preference-Applied') === REFUSAL
  if (!response.ok || isRefused) throw new Error(answer?.error ?? `${method} ${path}: ${response.status}`)
  return answer
}, at)

async function reach(path: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(path, request)
  } catch {
    throw new Error('The emulator cannot be reached. Is it still running?')
  }
}
