/**
 * Returns a function that computes its result once for each argument. It stores every result, so it must not get many
 * arguments.
 */
export function memoize<Input, Answer>(work: (input: Input) => Answer): (input: Input) => Answer {
  const known = new Map<Input, Answer>()
  return (input) => {
    let answer = known.get(input)
    if (answer === undefined) {
      answer = work(input)
      known.set(input, answer)
    }
    return answer
  }
}
