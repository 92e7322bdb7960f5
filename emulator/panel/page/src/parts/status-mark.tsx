/** The status of an answer: a number and a word, never a colour alone. */

const WORDS: Readonly<Record<number, string>> = {
  200: 'done',
  400: 'refused',
  401: 'refused, no valid key',
  403: 'refused, not allowed',
  404: 'not found',
  405: 'refused, wrong method',
  413: 'refused, too large',
  415: 'refused, wrong type',
  424: 'the device did not do it',
  500: 'failed',
  503: 'busy',
}

export const outcomeWords = (status: number | null): string =>
  status === null ? 'no answer' : (WORDS[status] ?? (status >= 400 ? 'refused' : 'done'))

export const statusWords = (status: number | null): string =>
  status === null ? outcomeWords(status) : `${status}, ${outcomeWords(status)}`

export function StatusMark({ status }: { readonly status: number | null }) {
  const tone = status === null || status >= 500 ? 'bad' : status >= 400 ? 'warning' : 'well'
  return (
    <span class={`status-mark ${tone}`} title={statusWords(status)}>
      {status ?? 'none'}
    </span>
  )
}
