/** The tables of statuses in the documentation list every status that the service and the control API answer. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { controlText } from '../../bin/docs/control-api.ts'
import { restText } from '../../bin/docs/rest.ts'

const root = join(import.meta.dirname, '..', '..')

const statusesIn = (pattern: string, ...calls: readonly RegExp[]): readonly string[] => {
  const text = globSync(pattern, { cwd: root })
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('\n')
  return [...new Set(calls.flatMap((call) => [...text.matchAll(call)].map(([, status = '']) => status)))].toSorted()
}

const tableAfter = (text: string, heading: string): readonly string[] =>
  [...(text.split(`${heading}\n`)[1]?.split('\n#')[0] ?? '').matchAll(/^\| `(\d{3})`/gm)].map(([, one = '']) => one)

it('the reference of the service lists every status that it answers', async () => {
  const answered = statusesIn(
    'server/*.ts',
    /\brefuse\(response, ([45]\d\d)/g,
    /\bfailed\(([45]\d\d)/g,
    /\bstatus: ([45]\d\d)\b/g,
  )
  expect(answered).toEqual(expect.arrayContaining(['400', '404', '405', '415']))
  const listed = tableAfter(await restText(), '### Statuses')
  expect(answered.filter((status) => !listed.includes(status))).toEqual([])
})

it('the reference of the control API lists every status that it answers', () => {
  const answered = statusesIn('emulator/panel/*.ts', /\bstatus\(([45]\d\d)\)/g, /\bWrongCall\([^;]*?, ([45]\d\d)\)/g)
  expect(answered).toEqual(expect.arrayContaining(['404', '405']))
  const listed = tableAfter(controlText(), '### Statuses')
  expect(answered.filter((status) => !listed.includes(status))).toEqual([])
})
