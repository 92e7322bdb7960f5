/** A function that works its answer out once for each argument, and must not be given many. */
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
