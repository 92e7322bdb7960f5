import { describe, expect, it, onTestFinished } from 'vitest'
import { createEmulator } from '../../emulator/emulator.ts'
import { CaseLog } from '../../scenarios/exam/case-log.ts'

describe('the log of a case', () => {
  it.each([2000, 2001, 3100, 9000])(
    'contains all entries, or the number of those that it dropped: %d were added',
    (count) => {
      const emulator = createEmulator({ family: 'A' })
      onTestFinished(() => emulator.close())
      const log = new CaseLog(emulator)
      for (let number = 1; number <= count; number++) log.add('output', `line ${number}`)
      const texts = log.end().map(({ text }) => text)
      const omissions = texts.flatMap((text) => /^\((\d+) more\)$/.exec(text)?.[1] ?? [])
      const dropped = omissions.map(Number).reduce((sum, each) => sum + each, 0)
      expect(texts.length - omissions.length + dropped).toBe(count)
      expect(omissions.length).toBe(count > 2000 ? 1 : 0)
      expect(texts.at(-1)).toBe(`line ${count}`)
    },
  )
})
