import { useEffect, useState } from 'preact/hooks'

/** Returns the answer of a call; undefined while it is pending, and after a refusal. */
export function useAnswer<T>(ask: () => Promise<T>, of: number | string): T | undefined {
  const [answer, setAnswer] = useState<{ readonly of: number | string; readonly value: T }>()
  useEffect(() => {
    let isCurrent = true
    ask().then(
      (value) => isCurrent && setAnswer({ of, value }),
      () => undefined,
    )
    return () => {
      isCurrent = false
    }
  }, [of])
  return answer?.of === of ? answer.value : undefined
}
