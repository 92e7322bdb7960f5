/**
 * The service on an embedded device, compared with an express route that returns a constant, under the same eight
 * clients.
 */

import { createServer } from 'node:http'
import { Worker } from 'node:worker_threads'
import express from 'express'
import { closeAtOnce, listenLocally } from '../../drivers/host/local-server.ts'
import type { Load, LoadResult } from './client.ts'
import type { Family } from './core.ts'
import type { Figure } from './measure.ts'
import { serveDevice } from './served-device.ts'

const CLIENTS = 8

/** `isDrawn`: the device may refuse some of the calls. */
function load(data: Load, isDrawn = false): Promise<LoadResult> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./client.ts', import.meta.url), { workerData: data })
    worker.on('message', (result: LoadResult) => {
      const refused = Object.keys(result.statuses).filter(
        (status) => status !== '200' && !(isDrawn && status === '400'),
      )
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
  const port = await listenLocally(server, 0)
  const { perSecond } = await load({ port, clients: CLIENTS, forMs, calls: [displayCall] })
  await closeAtOnce(server)
  return perSecond
}

const displayCall = { method: 'POST', path: '/api/display-line-one', body: '{"Text":"TOTAL 12.50"}' }

const composite = {
  method: 'POST',
  path: '/api/print-fiscal-receipt',
  body: JSON.stringify({
    ReceiptItems: [1, 2, 3, 4, 5].map((PluNumber) => ({ Type: 1, PluSale: { PluNumber, Quantity: 2 } })),
  }),
}

export interface DrawnLoad {
  readonly perSecond: number
  readonly frames: number
}

export async function drawnLoad(family: Family, calls: Load['calls'], forMs: number): Promise<DrawnLoad> {
  const served = await serveDevice(family)
  const { perSecond, statuses } = await load({ port: served.port, clients: CLIENTS, forMs, calls }, true)
  const requests = Object.values(statuses).reduce((sum, count) => sum + count, 0)
  const frames = served.frames() / requests
  await served.close()
  return { perSecond, frames }
}

export async function restFigures(families: readonly Family[], forMs: number): Promise<Figure[]> {
  const bare = await constantRoute(forMs)
  const figures: Figure[] = [{ name: 'express, constant answer, 8 clients', value: bare, unit: 'requests/s' }]
  for (const family of families) {
    const served = await serveDevice(family)
    const { port } = served
    const { perSecond } = await load({ port, clients: CLIENTS, forMs, calls: [displayCall] })
    const { medianMs } = await load({ port, clients: 1, forMs, calls: [composite] })
    await served.close()
    figures.push(
      { name: `${family}: REST, 8 clients`, value: perSecond, unit: 'commands/s', target: { atLeast: 1000 } },
      { name: `${family}: REST / constant answer`, value: perSecond / bare, unit: '' },
      {
        name: `${family}: receipt of 5 lines in one call, median`,
        value: medianMs,
        unit: 'ms',
        target: { atMost: 10 },
      },
    )
  }
  return figures
}
