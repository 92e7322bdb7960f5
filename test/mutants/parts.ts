/** The parts whose mutants are tried, each with the tests that concern it. */

export interface Part {
  readonly name: string
  /** Files, patterns of files, or whole folders. */
  readonly mutate: readonly string[]
  /** In the order in which they run: the quickest first. */
  readonly tests: readonly string[]
  /** For what these leave alive. */
  readonly slow?: readonly string[]
}

const within = (places: readonly string[], end: string): string[] =>
  places.map((place) => (place.endsWith('.ts') ? place : [place, '**', `*${end}`].join('/')))

export const sourcesOf = ({ mutate }: Part): string[] => within(mutate, '.ts')
export const testsOf = (places: readonly string[]): string[] => within(places, '.test.ts')

export const PARTS: readonly Part[] = [
  {
    name: 'codec kit',
    // What else stands there says what a device is asked for its passport.
    mutate: ['drivers/wire/{bad-value,charset,checksum,command,deframer,field,opening,row,status}.ts'],
    tests: ['test/wire', 'test/family-{a,b,c}/driver.test.ts', 'test/security/tcp.test.ts', 'test/frames'],
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
    tests: ['test/oracle-totals.test.ts', 'test/fiscal/{arithmetic,day,on-display,paper,receipts,stores}.test.ts'],
    slow: ['test/model.test.ts', 'test/fiscal/{audit,store}.test.ts'],
  },
  {
    name: 'settling and recovery',
    mutate: ['server/recovery', 'drivers/family-c/{settled,probes}.ts'],
    tests: [
      'test/server/{proof,outcome,journal-tables}.test.ts',
      'test/api/{wrong-end,recovery,told,journal}.test.ts',
      'test/family-c/settled.test.ts',
    ],
    slow: ['test/api/never-twice.test.ts'],
  },
]
