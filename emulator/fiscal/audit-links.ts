interface Link {
  readonly number: number
  readonly seal: string
  /** Returns the seal that this content has under `number`, after a link with the seal `before`. */
  sealAs(number: number, before: string): string
}

interface Chain {
  name(number: number): string
  /** The highest number. Absent if the numbers need not be consecutive. */
  readonly count?: number
  /** Numbers that belong to no link, although nothing is missing. */
  readonly absent?: ReadonlySet<number>
  readonly head: string
}

export interface LinkFindings {
  readonly problems: readonly string[]
  /** Links whose content is not the content that was sealed. */
  readonly changed: ReadonlySet<number>
  readonly unproven: ReadonlySet<number>
  readonly isWhole: boolean
}

export function auditLinks(links: readonly Link[], { name, count, absent, head }: Chain): LinkFindings {
  const problems: string[] = []
  const broken = new Set<number>()
  const unproven = new Set<number>()
  const sealBefore = (place: number): string => links[place - 1]?.seal ?? ''
  /** If this link's seal fits its successor, the content was changed and not the seal. */
  const isSealOriginal = (place: number): boolean => {
    const next = links[place + 1]
    const seal = links[place]?.seal ?? ''
    return next ? next.sealAs(next.number, seal) === next.seal : seal === head
  }
  links.forEach((link, place) => {
    const before = links[place - 1]
    const isGap = link.number !== nextNumber(before?.number ?? 0, absent)
    const fits = link.sealAs(link.number, sealBefore(place)) === link.seal
    if (isGap && count !== undefined) problems.push(missing(name, before?.number ?? 0, link.number))
    if (isGap && !fits) {
      unproven.add(link.number)
      problems.push(
        count !== undefined
          ? `the seal of ${name(link.number)} cannot be checked without the one before it`
          : // Some numbers belong to no link, so that a gap alone does not prove that a link is missing.
            `${name(link.number)} was changed, or ${missing(name, before?.number ?? 0, link.number)}`,
      )
    }
    if (fits || isGap) return
    // The previous link was changed. This link is sound if it fits the seal that the content of the previous link
    // yields.
    const original = before?.sealAs(before.number, sealBefore(place - 1))
    if (
      before &&
      broken.has(before.number) &&
      original !== undefined &&
      link.sealAs(link.number, original) === link.seal
    )
      return
    broken.add(link.number)
  })
  const swapped = swappedIn(links, broken)
  for (const [one, other] of swapped) problems.push(`${name(one)} and ${name(other)} were swapped`)
  const isSwapped = new Set(swapped.flatMap(([one, other]) => [one, other, one + 1, other + 1]))
  const changed = new Set(broken)
  links.forEach(({ number }, place) => {
    if (!broken.has(number) || isSwapped.has(number)) return
    const before = links[place - 1]
    const isOwn = !before || isSealOriginal(place)
    if (!isOwn) changed.add(before.number)
    problems.push(
      isOwn
        ? `${name(number)} was changed after it was sealed`
        : `${name(number)} does not follow ${name(before.number)}: one of them was changed`,
    )
  })
  problems.push(...auditEnd(links, { name, head, ...(count !== undefined && { count }) }, changed))
  return { problems, changed, unproven, isWhole: problems.length === 0 }
}

function nextNumber(before: number, absent: ReadonlySet<number> = new Set()): number {
  let next = before + 1
  while (absent.has(next)) next++
  return next
}

function auditEnd(links: readonly Link[], { name, count, head }: Chain, changed: Set<number>): string[] {
  const last = links.at(-1)
  if ((last?.seal ?? '') === head) return []
  const headAt = head === '' ? -1 : links.findIndex(({ seal }) => seal === head)
  if (headAt >= 0 || head === '')
    return links.slice(headAt + 1).map(({ number }) => `${name(number)} was added: the device did not write it`)
  if (!last || (count !== undefined && last.number < count)) return [missing(name, last?.number ?? 0, (count ?? 1) + 1)]
  if (changed.has(last.number)) return []
  changed.add(last.number)
  return [
    `${name(last.number)} is not the last one that the device wrote: it was changed, or ${name(last.number + 1)} is missing`,
  ]
}

function missing(name: Chain['name'], before: number, after: number): string {
  const [first, last] = [before + 1, after - 1]
  if (last < first) return `${name(after)} comes after ${name(before)}`
  return first === last ? `${name(first)} is missing` : `${name(first)} to ${last} are missing`
}

/** Maximum number of changed links among which swapped pairs are searched. */
const SWAPS_MAX = 24

function swappedIn(links: readonly Link[], broken: ReadonlySet<number>): (readonly [number, number])[] {
  const places = links.flatMap(({ number }, place) => (broken.has(number) ? [place] : []))
  if (places.length > SWAPS_MAX) return []
  return places.flatMap((one) =>
    places.filter((other) => other > one && fitSwapped(links, one, other)).map((other) => numbersAt(links, one, other)),
  )
}

const numbersAt = (links: readonly Link[], one: number, other: number) =>
  [links[one]?.number ?? 0, links[other]?.number ?? 0] as const

function fitSwapped(links: readonly Link[], one: number, other: number): boolean {
  const order = links.map((_, place) => (place === one ? other : place === other ? one : place))
  return [one, other].every((place) => {
    const [link, before] = [links[order[place] ?? 0], links[order[place - 1] ?? -1]]
    return link?.sealAs(links[place]?.number ?? 0, before?.seal ?? '') === link?.seal
  })
}
