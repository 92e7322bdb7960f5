/**
 * The request log (decisions 9) has one line per request. By default it contains only warnings and requests that
 * printed.
 */
import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { createLog } from '../../server/log.ts'
import type { LogFormat, LogLevel } from '../../server/log-options.ts'

function logged(level: LogLevel, format: LogFormat): string {
  const sink = new PassThrough()
  const log = createLog({ level, format, destination: sink })
  log.request({ id: 'a-1', method: 'POST', path: '/api/report-x', status: 200, ms: 18, printed: true })
  log.request({ id: 'a-1', method: 'POST', path: '/api/payment', status: 400, ms: 3, printed: false })
  log.request({ id: 'a-1', method: 'POST', path: '/api/payment', status: null, ms: 3, printed: false })
  log.warn('something was healed')
  log.note('a note')
  return String(sink.read() ?? '').replace(/^\d\d:\d\d:\d\d\.\d{3} /gm, '')
}

describe('the log for people', () => {
  it.each<[LogLevel, readonly string[]]>([
    ['silent', []],
    ['error', []],
    ['warn', ['POST /api/report-x 200 18 ms, printed [a-1]', 'warning something was healed']],
    [
      'info',
      [
        'POST /api/report-x 200 18 ms, printed [a-1]',
        'POST /api/payment 400 3 ms [a-1]',
        'POST /api/payment disconnected 3 ms [a-1]',
        'warning something was healed',
        'a note',
      ],
    ],
  ])('contains the messages of its level: %s', (level, lines) => {
    expect(logged(level, 'pretty').split('\n').filter(Boolean)).toEqual(lines)
  })
})

it('a request in the log as JSON is one line with its facts', () => {
  const [first = ''] = logged('warn', 'json').split('\n')
  expect(JSON.parse(first)).toMatchObject({
    id: 'a-1',
    method: 'POST',
    path: '/api/report-x',
    status: 200,
    ms: 18,
    printed: true,
  })
})
