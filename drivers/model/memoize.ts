/**
 * Returns a function that computes its result once per argument. Results are never discarded, so there must be few
 * distinct arguments.
 */
export function memoize<Input, Answer>(work: (input: Input) => Answer): (input: Input) => Answer {
  const results = new Map<Input, Answer>()
  return (input) => {
    let answer = results.get(input)
    if (answer === undefined) {
      answer = work(input)
      results.set(input, answer)
    }
    return answer
  }
}
