export interface Part {
  readonly name: string
  readonly mutate: readonly string[]
  /** Tests in the order in which they run, the fastest first. */
  readonly tests: readonly string[]
  /** Tests for mutants that survive the fast tests. */
  readonly slow?: readonly string[]
}

const within = (places: readonly string[], end: string): string[] =>
  places.map((place) => (place.endsWith('.ts') ? place : [place, '**', `*${end}`].join('/')))

export const sourcesOf = ({ mutate }: Part): string[] => within(mutate, '.ts')
export const testsOf = (places: readonly string[]): string[] => within(places, '.test.ts')

/** Excludes the passport files of a family: their tests (test/passport) take more than a minute per run. */
const withoutPassports = (family: string): string[] => [
  `!drivers/family-${family}/protocol/{discovery,passport,passport-answers}.ts`,
]

export const PARTS: readonly Part[] = [
  {
    name: 'codec kit',
    // The other files of the folder define the queries of a passport.
    mutate: ['drivers/wire/{bad-value,charset,checksum,command,deframer,field,protocol-guard,row,status}.ts'],
    tests: ['test/wire', 'test/family-{a,b,c}/driver.test.ts', 'test/security/other-protocols.test.ts', 'test/frames'],
  },
  {
    name: 'protocol A',
    mutate: ['drivers/family-a/protocol', ...withoutPassports('a')],
    tests: ['test/frames', 'test/family-a'],
  },
  {
    name: 'protocol B',
    mutate: ['drivers/family-b/protocol', ...withoutPassports('b')],
    tests: ['test/frames', 'test/family-b'],
  },
  {
    name: 'protocol C',
    mutate: ['drivers/family-c/protocol', ...withoutPassports('c')],
    tests: ['test/frames', 'test/family-c'],
  },
  {
    name: 'link and exchange',
    mutate: ['drivers/link/{exchange,link,failure,session,protocol-adapter,question,same-device,line}.ts'],
    tests: ['test/link', 'test/family-{a,b,c}/driver.test.ts', 'test/family-{a,c}/line.test.ts'],
  },
  {
    name: 'books',
    mutate: ['emulator/fiscal/{day,pricing,totals,paying,booking,closing,receipts,memory,journal,printed-reports}.ts'],
    tests: [
      'test/oracle-totals.test.ts',
      'test/fiscal/{arithmetic,day,customer-display,paper,receipts,stores}.test.ts',
      'test/fiscal/{totals,subtotals,pricing,paying,booking,sums-of-day,memory,journal}.test.ts',
      'test/fiscal/{opening-and-closing,reports,cash-and-copies}.test.ts',
    ],
    slow: ['test/simulation/model-calls.test.ts', 'test/fiscal/{audit,store}.test.ts'],
  },
  {
    name: 'operation log and recovery',
    mutate: ['server/operations', 'drivers/family-c/{confirmed-command,probes}.ts'],
    tests: [
      'test/operations/**/*.test.ts',
      'test/api/{wrong-device,recovery,messages,operation-log}.test.ts',
      'test/family-c/{probes,ask-confirmed,confirmed-command}.test.ts',
      'test/orders/printing.test.ts',
      'test/simulation/found-violations.test.ts',
      'test/legacy/several-documents.test.ts',
    ],
    slow: ['test/fault-table/fault-table-a.test.ts', 'test/api/never-twice.test.ts'],
  },
]
