/** The parts whose mutants are tried, each with the tests that concern it. */

export interface Part {
  readonly name: string
  readonly mutate: readonly string[]
  readonly tests: readonly string[]
}

export const PARTS: readonly Part[] = [
  {
    name: 'codec kit',
    mutate: ['drivers/wire/**/*.ts'],
    tests: ['test/wire/*.test.ts', 'test/frames/*.test.ts'],
  },
  {
    name: 'protocol A',
    mutate: ['drivers/family-a/protocol/**/*.ts'],
    tests: ['test/frames/*.test.ts', 'test/family-a/{commands,driver,limits,matrix,ro,rows}.test.ts'],
  },
  {
    name: 'protocol B',
    mutate: ['drivers/family-b/protocol/**/*.ts'],
    tests: ['test/frames/*.test.ts', 'test/family-b/{device,driver,errors,rules,states,wire,wire-found}.test.ts'],
  },
  {
    name: 'protocol C',
    mutate: ['drivers/family-c/protocol/**/*.ts'],
    tests: ['test/frames/*.test.ts', 'test/family-c/{driver,matrix,payments,registers,settled,wire-found}.test.ts'],
  },
  {
    name: 'link and exchange',
    mutate: ['drivers/link/{exchange,link,failure,alarm,session,speech,question,present,line}.ts'],
    tests: [
      'test/link/*.test.ts',
      'test/family-a/{driver,line}.test.ts',
      'test/family-b/{driver,line}.test.ts',
      'test/family-c/{driver,line}.test.ts',
    ],
  },
  {
    name: 'books',
    mutate: ['emulator/fiscal/{day,pricing,totals,paying,booking,closing,receipts,memory,journal,reports}.ts'],
    tests: ['test/fiscal/*.test.ts', 'test/oracle-totals.test.ts', 'test/model.test.ts'],
  },
  {
    name: 'settling and recovery',
    mutate: ['server/recovery/**/*.ts', 'drivers/family-c/{settled,probes}.ts'],
    tests: [
      'test/api/{recovery,never-twice,told,journal,wrong-end}.test.ts',
      'test/server/{proof,outcome}.test.ts',
      'test/family-c/settled.test.ts',
    ],
  },
]
