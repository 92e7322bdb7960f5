/** The parts whose mutants are tried, each with the tests that concern it. */

export interface Part {
  readonly name: string
  /** Files, patterns of files, or whole folders. */
  readonly mutate: readonly string[]
  readonly tests: readonly string[]
}

const within = (places: readonly string[], end: string): string[] =>
  places.map((place) => (place.endsWith('.ts') ? place : [place, '**', `*${end}`].join('/')))

export const sourcesOf = ({ mutate }: Part): string[] => within(mutate, '.ts')
export const testsOf = ({ tests }: Part): string[] => within(tests, '.test.ts')

export const PARTS: readonly Part[] = [
  {
    name: 'codec kit',
    mutate: ['drivers/wire'],
    tests: ['test/wire', 'test/frames'],
  },
  {
    name: 'protocol A',
    mutate: ['drivers/family-a/protocol'],
    tests: ['test/frames', 'test/family-a/{commands,driver,limits,matrix,ro,rows}.test.ts'],
  },
  {
    name: 'protocol B',
    mutate: ['drivers/family-b/protocol'],
    tests: ['test/frames', 'test/family-b/{device,driver,errors,rules,states,wire,wire-found}.test.ts'],
  },
  {
    name: 'protocol C',
    mutate: ['drivers/family-c/protocol'],
    tests: ['test/frames', 'test/family-c/{driver,matrix,payments,registers,settled,wire-found}.test.ts'],
  },
  {
    name: 'link and exchange',
    mutate: ['drivers/link/{exchange,link,failure,alarm,session,speech,question,present,line}.ts'],
    tests: ['test/link', 'test/family-{a,b,c}/driver.test.ts', 'test/family-{a,c}/line.test.ts'],
  },
  {
    name: 'books',
    mutate: ['emulator/fiscal/{day,pricing,totals,paying,booking,closing,receipts,memory,journal,reports}.ts'],
    tests: ['test/fiscal', 'test/oracle-totals.test.ts', 'test/model.test.ts'],
  },
  {
    name: 'settling and recovery',
    mutate: ['server/recovery', 'drivers/family-c/{settled,probes}.ts'],
    tests: [
      'test/api/{recovery,never-twice,told,journal,wrong-end}.test.ts',
      'test/server/{proof,outcome}.test.ts',
      'test/family-c/settled.test.ts',
    ],
  },
]
