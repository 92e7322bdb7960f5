/**
 * Accuracy of `--baud` on a pty, measured by a separate program. The best of three counts, because other programs can
 * only add time.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEmulator } from '../../emulator/emulator.ts'
import { inaccuracyOfProgram } from '../support/paced-process.ts'
import type { Figure } from './measure.ts'

export async function pacingFigures(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'fiscal-rig-bench-'))
  const figures: Figure[] = []
  for (const baud of [9600, 115_200]) {
    const emulator = createEmulator({ family: 'A', baud })
    try {
      const { link } = await emulator.openPty(join(folder, `paced-${baud}`))
      const tries: number[] = []
      for (let n = 0; n < 3; n++) tries.push(Math.abs((await inaccuracyOfProgram(link, baud)).next) * 100)
      figures.push({ name: `pty at ${baud} baud, off by`, value: Math.min(...tries), unit: '%', target: { atMost: 2 } })
    } finally {
      await emulator.close()
    }
  }
  rmSync(folder, { recursive: true, force: true })
  return figures
}
