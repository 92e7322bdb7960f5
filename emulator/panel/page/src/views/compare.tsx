import { useMemo } from 'preact/hooks'
import type { DocumentHead } from '../../../contract.ts'
import { call } from '../api.ts'
import { titleOf } from '../labels-and-formats.ts'
import { useAnswer } from '../parts/call-answer.ts'
import { type LineRow, lineRows, type SumRow, sumRows } from '../parts/document-differences.ts'
import { Columns } from '../parts/form.tsx'

const textOf = (id: number) => call('GET /emulator/documents/{id}', { params: { id } })
const sumsOf = (id: number) => call('GET /emulator/documents/{id}/sums', { params: { id } })

export function Compare({ left, right }: { left: DocumentHead; right: DocumentHead }) {
  const both = `${left.id} ${left.at} ${right.id} ${right.at}`
  const texts = useAnswer(() => Promise.all([textOf(left.id), textOf(right.id)]), both)
  const sums = useAnswer(() => Promise.all([sumsOf(left.id), sumsOf(right.id)]), both)
  const lines = useMemo(() => texts && lineRows(texts[0].text, texts[1].text), [texts])
  const money = useMemo(() => sums && sumRows(...sums), [sums])
  if (!lines || !sums || !money) return null
  const names = [titleOf(left), titleOf(right)] as const
  const isBooked = sums.every((one) => one.length > 0)
  return (
    <div class="compare">
      <Summary money={isBooked ? money : undefined} lines={lines} />
      {isBooked ? <Money rows={money} names={names} /> : <p class="soft">{notBooked(names, sums)}</p>}
      <Lines rows={lines} names={names} />
    </div>
  )
}

type Names = readonly [left: string, right: string]

const counted = (count: number, one: string, many: string): string =>
  `${count === 0 ? 'no' : count} ${count === 1 ? one : many}`

/** Copies and non-fiscal texts have no amounts. */
const notBooked = (names: Names, sums: readonly (readonly unknown[])[]): string => {
  const without = names.filter((_name, index) => sums[index]?.length === 0)
  const [only = ''] = without
  return `${without.length === 2 ? 'Neither has' : `${only} has no`} sums in the books: their papers are compared.`
}

/** `money` is `undefined` unless both documents have amounts. */
function Summary({ money, lines }: { money: readonly SumRow[] | undefined; lines: readonly LineRow[] }) {
  const amounts = money?.filter(({ difference }) => difference !== undefined).length
  const differentLines = lines.filter(({ is }) => is === 'changed' || is === 'left' || is === 'right').length
  return (
    <p class="compare-summary" role="status">
      They differ in {amounts === undefined ? '' : `${counted(amounts, 'amount', 'amounts')} and `}
      {counted(differentLines, 'line', 'lines')} of the paper.
    </p>
  )
}

function Money({ rows, names }: { rows: readonly SumRow[]; names: Names }) {
  return (
    <table class="compare-money">
      <Columns names={['Amount', ...names, 'Difference']} numbers={[1, 2, 3]} />
      <tbody>
        {rows.map(({ name, left, right, difference }) => (
          <tr key={name} class={difference === undefined ? '' : 'differs'}>
            <th scope="row">{name}</th>
            <td class="num">{left ?? 'none'}</td>
            <td class="num">{right ?? 'none'}</td>
            <td class="num">{difference === undefined ? '' : difference}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const MARKS: Readonly<Record<LineRow['is'], readonly [sign: string, words: string]>> = {
  same: ['', 'equal'],
  changed: ['≠', 'differs'],
  numbers: ['#', 'another number or time'],
  left: ['−', 'only in the first'],
  right: ['+', 'only in the second'],
}

function Lines({ rows, names }: { rows: readonly LineRow[]; names: Names }) {
  return (
    <table class="compare-lines">
      <thead>
        <tr>
          <th scope="col">{names[0]}</th>
          <th scope="col">
            <span class="hidden">How they differ</span>
          </th>
          <th scope="col">{names[1]}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ left, right, is }, index) => (
          <tr key={index} class={is}>
            <td>
              <pre>{left ?? ''}</pre>
            </td>
            <td class="mark" title={is === 'same' ? undefined : MARKS[is][1]}>
              <span aria-hidden="true">{MARKS[is][0]}</span>
              {is === 'same' ? null : <span class="hidden">{MARKS[is][1]}</span>}
            </td>
            <td>
              <pre>{right ?? ''}</pre>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
