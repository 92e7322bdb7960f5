/** What a recording holds of a client that does not wait for its answer. */
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import express from 'express'
import { expect, it } from 'vitest'
import { inject } from '../../scenarios/runner/inject.ts'
import { loadScenarios } from '../../scenarios/runner/load.ts'
import { createRecorder } from '../../scenarios/runner/record.ts'

it('a request that its client gave up is recorded when it was given up, with how long it waited', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'fiscal-rig-record-')), 'session.yaml')
  let now = 1000
  const plain = { family: 'A', profile: undefined, config: {}, device: undefined, schema: undefined } as const
  const recorder = createRecorder({ ...plain, file, now: () => now })
  const late = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const app = express()
  app.use(express.raw({ type: () => true }), recorder.admitted)
  app.post('/api/report-x', async (_request, response) => {
    begun.resolve()
    await late.promise
    response.json({ StatusCode: 200, Data: '1' })
  })
  app.post('/api/report-z', (_request, response) => void response.json({ StatusCode: 200, Data: '1' }))
  const given = inject(app, {
    method: 'post',
    path: '/api/report-x',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  })
  await begun.promise
  now = 4000
  given.hangUp()
  expect(await given.answer).toBeUndefined()
  await inject(app, { method: 'post', path: '/api/report-z' }).answer
  late.resolve()
  await inject(app, { method: 'post', path: '/api/report-z' }).answer
  const steps = readFileSync(file, 'utf8').split('# the recording begins\n')[1]?.split('\n') ?? []
  expect(steps.slice(0, 4)).toEqual([
    '  - post /report-x: {}',
    '    giveUpAfter: 3000ms',
    '    expect: no answer',
    '  - post /report-z:',
  ])
  expect(steps.filter((line) => line.includes('report-x'))).toHaveLength(1)
  expect(loadScenarios([file])[0]?.steps).toHaveLength(4)
})
