import { useEffect } from 'preact/hooks'
import { call } from '../api.ts'
import { Card, Facts } from '../parts/small.tsx'
import { change, useStore } from '../store.ts'

/** The exam that this device takes part in: which case it stands in, and what came of those before it. */

const AGAIN_MS = 1000

export function ExamView() {
  const exam = useStore((state) => state.exam)
  useEffect(() => {
    const timer = setInterval(() => {
      // Between two devices nobody answers.
      call('GET /emulator/exam').then(
        (told) => change({ exam: told }),
        () => undefined,
      )
    }, AGAIN_MS)
    return () => clearInterval(timer)
  }, [])
  if (!exam) return <p>This device takes part in no exam.</p>
  const { till, depth, planned, counts, cases } = exam
  const bad = cases.filter(({ verdict }) => verdict !== 'passed' && verdict !== 'not triggered')
  const verdicts = Object.entries(counts).filter(([, count]) => count > 0)
  return (
    <div class="books">
      <Card title="Exam of a till">
        <Facts
          rows={[
            ['Till', till],
            ['Depth', depth],
            ['Case on this device', exam.case ?? 'none'],
            ['Cases', planned === null ? 'the baseline case first' : `${cases.length} of ${planned}`],
            ...verdicts.map(([verdict, count]): [string, string] => [verdict, String(count)]),
          ]}
        />
      </Card>
      <Card title="Not passed so far">
        {bad.length === 0 ? <p>Every case so far has passed.</p> : null}
        <ul class="exam-bad">
          {bad.map(({ id, verdict, why }) => (
            <li key={id}>
              <b>{verdict}</b> {id}: {why}
            </li>
          ))}
        </ul>
      </Card>
    </div>
  )
}
