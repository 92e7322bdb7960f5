/** Articles of the options, in the form and with the checks of the control interface. */
import type { Emulator } from '../../emulator/emulator.ts'
import * as forms from '../../emulator/panel/forms.ts'
import { createHandlers } from '../../emulator/panel/handlers.ts'
import { createSession } from '../../emulator/panel/session.ts'
import type { ArticleOptions } from './types.ts'

/** What is returned programs them; it throws for a list that cannot be, and for an article that the device refuses. */
export function programmer(emulator: Emulator, articles: readonly ArticleOptions[]): () => void {
  const program = createHandlers(emulator, createSession(emulator))['POST /emulator/articles']
  return () => {
    const body = forms.checked(forms.articles, forms.readBody(JSON.stringify(articles)), 'the list')
    void program({ params: {}, query: {}, body } as Parameters<typeof program>[0])
  }
}
