/** The parts of `npm run test:deep`: what `npm test` runs a rotating part of, or not at all. */

export interface Part {
  readonly name: string
  readonly what: string
  /** Below `test/`: beginnings of paths, as Vitest filters them. */
  readonly files: readonly string[]
  /** Wall time on two cores of an AMD EPYC, alone, in s. */
  readonly tookS: number
}

export const PARTS: readonly Part[] = [
  {
    name: 'troubles',
    what: 'every kind of request x every trouble x every place, on every family',
    files: ['test/troubles/'],
    tookS: 2400,
  },
  {
    name: 'findings',
    what: 'all places of the violations that were found before',
    files: ['test/simulation/findings.test.ts'],
    tookS: 60,
  },
  {
    name: 'random',
    what: '4,000 random runs a family, several clients at once, and sequences of calls against the models',
    files: ['test/simulation/check', 'test/model', 'test/passport/round-trip.test.ts'],
    tookS: 300,
  },
]
