import type { DocumentHead } from '../../../contract.ts'
import { call } from '../api.ts'
import { useStore } from '../store.ts'
import { useAnswer } from './call-answer.ts'
import { startOnce } from './double-click.ts'
import { asPrinted } from './print-result.ts'

const X_SUMS = ', a new report with the sums of the day until now'

export function DocumentActs({ document }: { readonly document: DocumentHead }) {
  const params = { id: document.id }
  const answer = useAnswer(() => call('GET /emulator/documents/{id}/again', { params }), document.id)
  const request = useStore((state) => state.requests).findLast(({ documents }) => documents.includes(document.id))
  const printAgain = () =>
    startOnce(`document ${document.id}`, async () => {
      const printed = await call('POST /emulator/documents/{id}/again', { params })
      return asPrinted(
        printed,
        'Printed again',
        document.kind === 'x' ? X_SUMS : ', a new document with the same content',
      )
    })
  return (
    <>
      {answer?.refusal === null ? (
        <button type="button" class="quiet" onClick={printAgain}>
          Print again
        </button>
      ) : null}
      {request ? <a href={`#/requests/${request.id}`}>Its request</a> : null}
    </>
  )
}
