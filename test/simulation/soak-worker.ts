/** One core of the soak: runs the chunks that it is handed. */
import { parentPort } from 'node:worker_threads'
import { check } from './check.ts'
import type { Chunk } from './soak.ts'

parentPort?.on('message', (chunk: Chunk) => {
  check(chunk).then(
    (result) => parentPort?.postMessage(result),
    (problem: unknown) => {
      throw problem
    },
  )
})
