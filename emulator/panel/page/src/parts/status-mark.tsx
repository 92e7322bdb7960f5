/** The status of a response as a number and a word, never as a colour alone. */

const WORDS: Readonly<Record<number, string>> = {
  200: 'done',
  400: 'refused',
  401: 'refused, no valid key',
  403: 'refused, not allowed',
  404: 'not found',
  405: 'refused, wrong method',
  413: 'refused, too large',
  415: 'refused, wrong type',
  424: 'the device could not do it',
  500: 'failed',
  503: 'busy',
}

export function outcomeWords(status: number | null, message: string | null = null): string {
  if (status === null) return 'no answer'
  if (message?.startsWith('Outcome unknown')) return 'outcome unknown'
  return WORDS[status] ?? (status >= 400 ? 'refused' : 'done')
}

export const statusWords = (status: number | null, message: string | null = null): string =>
  status === null ? outcomeWords(status) : `${status}, ${outcomeWords(status, message)}`

export function StatusMark({ status }: { readonly status: number | null }) {
  const tone = status === null || status >= 500 ? 'bad' : status >= 400 ? 'warning' : 'well'
  return (
    <span class={`status-mark ${tone}`} title={statusWords(status)}>
      {status ?? 'none'}
    </span>
  )
}
