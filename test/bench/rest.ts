/** The service on an embedded device, and an express route that answers a constant, under the same eight clients. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Worker } from 'node:worker_threads'
import express from 'express'
import { setUpStand } from '../model/stand.ts'
import type { Load, LoadResult } from './client.ts'
import type { Figure } from './measure.ts'

const CLIENTS = 8

function load(data: Load): Promise<LoadResult> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./client.ts', import.meta.url), { workerData: data })
    worker.on('message', (result: LoadResult) => {
      const refused = Object.keys(result.statuses).filter((status) => status !== '200')
      if (refused.length > 0) reject(new Error(`answers with status ${refused.join(', ')}`))
      else resolve(result)
    })
    worker.on('error', reject)
  })
}

async function constantRoute(forMs: number): Promise<number> {
  const app = express()
  app.post('/api/display-line-one', (_request, response) => {
    response.json({ StatusCode: 200, Data: '' })
  })
  const server = createServer(app)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const { perSecond } = await load({ port, clients: CLIENTS, forMs, calls: [displayCall] })
  server.closeAllConnections()
  await new Promise<void>((resolve) => server.close(() => resolve()))
  return perSecond
}

const displayCall = { method: 'POST', path: '/api/display-line-one', body: '{"Text":"TOTAL 12.50"}' }

const sale = (name: string, price: number): object => ({
  Type: 0,
  FreeSale: { ProductName: name, TaxCode: 1, Price: price, Department: 0, Unit: 'pc', Quantity: 2 },
})
const composite = {
  method: 'POST',
  path: '/api/print-fiscal-receipt',
  body: JSON.stringify({ ReceiptItems: [1.5, 2.25, 0.99, 12, 3.1].map((price, at) => sale(`Item ${at + 1}`, price)) }),
}

export async function restFigures(forMs: number): Promise<Figure[]> {
  const bare = await constantRoute(forMs)
  const stand = await setUpStand('A')
  const { port } = stand
  const display = await load({ port, clients: CLIENTS, forMs, calls: [displayCall] })
  const receipts = await load({ port, clients: 1, forMs, calls: [composite] })
  await stand.close()
  return [
    { name: 'A: REST, 8 clients', value: display.perSecond, unit: 'commands/s', target: { atLeast: 1000 } },
    { name: 'express, constant answer, 8 clients', value: bare, unit: 'requests/s' },
    { name: 'REST / constant answer', value: display.perSecond / bare, unit: '' },
    { name: 'A: receipt of 5 lines in one call, median', value: receipts.medianMs, unit: 'ms', target: { atMost: 10 } },
  ]
}
