import type { Emulator } from '../emulator.ts'
import * as forms from './call-input.ts'
import { createHandlers } from './handlers.ts'
import { createRequestLog } from './request-log.ts'
import { createSession } from './session-recorder.ts'

/**
 * Returns a function that programs articles with the checks of the control API. The function throws for an invalid
 * list, and for an article that the device refuses.
 */
export function programmer(emulator: Emulator, articles: readonly object[]): () => void {
  const program = createHandlers(emulator, createSession(emulator), createRequestLog(emulator, undefined))[
    'POST /emulator/articles'
  ]
  return () => {
    const body = forms.parseForm(forms.articles, forms.readBody(JSON.stringify(articles)), 'the list')
    void program({ params: {}, query: {}, body } as Parameters<typeof program>[0])
  }
}
