/** A function that works its answer out once for each argument, and must not be given many. */
export function onceFor<Asked, Answer>(work: (asked: Asked) => Answer): (asked: Asked) => Answer {
  const known = new Map<Asked, Answer>()
  return (asked) => {
    let answer = known.get(asked)
    if (answer === undefined) {
      answer = work(asked)
      known.set(asked, answer)
    }
    return answer
  }
}
