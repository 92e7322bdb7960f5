/** Promises for the next printed document. After the time limit, a promise rejects with the state of the device. */
import type { Emulator } from '../../emulator/emulator.ts'
import { receiptView } from '../../emulator/panel/views.ts'
import type { DocumentView } from './types.ts'

interface PrintWaits {
  next(withinMs: number): Promise<DocumentView>
  printed(document: DocumentView): void
  end(): void
}

export function createWaiting(emulator: Emulator): PrintWaits {
  const waiters = new Set<{ resolve(document: DocumentView): void; reject(problem: Error): void }>()
  return {
    next(withinMs) {
      const before = emulator.frames().at(-1)?.id ?? 0
      return new Promise<DocumentView>((resolve, reject) => {
        const timer = setTimeout(() => {
          waiters.delete(waiter)
          reject(new Error(`no document was printed within ${withinMs} ms: ${describeState(emulator, before)}`))
        }, withinMs)
        const leave = () => {
          clearTimeout(timer)
          waiters.delete(waiter)
        }
        const waiter = {
          resolve(document: DocumentView) {
            leave()
            resolve(document)
          },
          reject(problem: Error) {
            leave()
            reject(problem)
          },
        }
        waiters.add(waiter)
      })
    },
    printed(document) {
      for (const waiter of [...waiters]) waiter.resolve(document)
    },
    end() {
      for (const waiter of [...waiters])
        waiter.reject(new Error('the printer was closed before a document was printed'))
    },
  }
}

function describeState(emulator: Emulator, before: number): string {
  const { device } = emulator
  const { mechanism } = device
  const obstacles = [
    ...(emulator.power ? [] : ['it is switched off']),
    ...(emulator.cable ? [] : ['its cable is pulled out']),
    ...(mechanism.paper === 'out' ? ['there is no paper'] : []),
    ...(mechanism.coverOpen ? ['the cover is open'] : []),
  ]
  return [openReceipt(emulator), ...obstacles, describeLastRequest(emulator, before)].join('; ')
}

function openReceipt({ device }: Emulator): string {
  const open = receiptView(device)
  if (!open) return 'no receipt is open'
  const { kind, number, items, total, paid } = open
  if (kind === 'nonFiscal') return `a non-fiscal receipt is open (document ${number})`
  const what = kind === 'invoice' ? 'an invoice' : 'a fiscal receipt'
  return `${what} is open (document ${number}, items ${items}, total ${total}, paid ${paid})`
}

function describeLastRequest(emulator: Emulator, before: number): string {
  const requests = emulator.frames(before).filter(({ direction, hex }) => direction === 'toDevice' && hex.length > 2)
  const last = requests.at(-1)
  return last === undefined ? 'the device received no commands' : `the last command was ${last.command}`
}
