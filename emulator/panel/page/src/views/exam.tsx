import type { ExamView as Exam } from '../../../contract.ts'
import { Card, Facts } from '../parts/basic-components.tsx'
import { useStore } from '../store.ts'

function noFailure(endedCases: number, isOver: boolean): string {
  if (endedCases === 0) return isOver ? 'No case was run.' : 'No case has ended yet.'
  return isOver ? 'No case failed.' : 'No case has failed so far.'
}

export function ExamView() {
  const exam = useStore((state) => state.exam)
  if (!exam) return <p>No exam is running on this device.</p>
  const { till, depth, planned, counts, cases } = exam
  const bad = cases.filter(({ verdict }) => verdict !== 'passed' && verdict !== 'not triggered')
  const verdicts = Object.entries(counts).filter(([, count]) => count > 0)
  return (
    <div class="books">
      {exam.ended ? <Result ended={exam.ended} /> : null}
      <Card title="Exam of a till">
        <Facts
          rows={[
            ['Till', till],
            ['Depth', depth],
            ['Case on this device', exam.case ?? (exam.ended ? 'none, the exam is over' : 'none')],
            ['Cases', planned === null ? 'the baseline case first' : `${cases.length} of ${planned}`],
            ...verdicts.map(([verdict, count]): [string, string] => [verdict, String(count)]),
          ]}
        />
      </Card>
      <Card title={exam.ended ? 'Not passed' : 'Not passed so far'}>
        {bad.length > 0 ? null : <p>{noFailure(cases.length, exam.ended !== null)}</p>}
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

function Result({ ended }: { readonly ended: NonNullable<Exam['ended']> }) {
  const [first, ...otherSentences] = ended.sentences
  return (
    <Card title="The exam is over" class="exam-result">
      <p class="first-sentence" role="status">
        {first}
      </p>
      {otherSentences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      {ended.report === null ? null : (
        <p class="after-facts">
          <a href={ended.report}>The report, with the log of each case</a>
        </p>
      )}
    </Card>
  )
}
