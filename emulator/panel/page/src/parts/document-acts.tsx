import type { DocumentHead } from '../../../contract.ts'
import { call } from '../api.ts'
import { act, useStore } from '../store.ts'
import { asPrinted } from './printed.ts'

/** What can be done with a document besides looking at it. */
export function DocumentActs({ document }: { readonly document: DocumentHead }) {
  const composes = useStore((state) => state.registers?.composes === true)
  const again = () =>
    act(async () => {
      const printed = await call('POST /emulator/documents/{id}/again', { params: { id: document.id } })
      return asPrinted(printed, 'Printed again', ', a new document with the same content')
    })
  return composes ? (
    <button type="button" class="quiet" onClick={again}>
      Print again
    </button>
  ) : null
}
