import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What zbar reads: `EAN-13:5901234123457`, one a symbol. */
export function codesOn(png: Buffer): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'fiscal-rig-zbar-'))
  try {
    writeFileSync(join(folder, 'paper.png'), png)
    const { stdout } = spawnSync('zbarimg', ['--quiet', '--nodbus', join(folder, 'paper.png')], { encoding: 'utf8' })
    return stdout.split('\n').filter((line) => line !== '')
  } finally {
    rmSync(folder, { recursive: true })
  }
}
