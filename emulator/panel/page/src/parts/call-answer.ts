import { useEffect, useState } from 'preact/hooks'

/**
 * Returns the answer of a call; `undefined` while the call is pending and after a refusal. A new `key` repeats the
 * call.
 */
export function useAnswer<T>(ask: () => Promise<T>, key: number | string): T | undefined {
  const [answer, setAnswer] = useState<{ readonly key: number | string; readonly value: T }>()
  useEffect(() => {
    let isCurrent = true
    ask().then(
      (value) => isCurrent && setAnswer({ key, value }),
      () => undefined,
    )
    return () => {
      isCurrent = false
    }
  }, [key])
  return answer?.key === key ? answer.value : undefined
}
