/**
 * Returns a function that computes its result once for each argument. It stores every result, so it must not get many
 * arguments.
 */
export function memoize<Input, Answer>(work: (asked: Input) => Answer): (asked: Input) => Answer {
  const known = new Map<Input, Answer>()
  return (asked) => {
    let answer = known.get(asked)
    if (answer === undefined) {
      answer = work(asked)
      known.set(asked, answer)
    }
    return answer
  }
}
