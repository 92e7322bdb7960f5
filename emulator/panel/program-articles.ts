import type { Emulator } from '../emulator.ts'
import * as forms from './call-input.ts'
import { settingHandlers } from './handlers.ts'

/**
 * Returns a function that programs articles with the checks of the control API. The function throws for an invalid
 * list, and for an article that the device refuses.
 */
export function programmer(emulator: Emulator, articles: readonly object[]): () => void {
  const program = settingHandlers(emulator)['POST /emulator/articles']
  return () => {
    const body = forms.parseForm(forms.articles, forms.readBody(JSON.stringify(articles)), 'the list')
    program({ params: {}, query: {}, body } as Parameters<typeof program>[0])
  }
}
