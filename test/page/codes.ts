import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'

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

const program = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm')

/** What ZXing reads, for the stacked codes, which Debian's zbar knows nothing of: `PDF417:12345678`, one a symbol. */
export async function stackedCodesOn(png: Buffer): Promise<string[]> {
  // From the package: without this it is asked for on the network.
  prepareZXingModule({ overrides: { wasmBinary: Uint8Array.from(readFileSync(program)).buffer } })
  const symbols = await readBarcodes(Uint8Array.from(png), { formats: ['PDF417'], tryHarder: true })
  return symbols.map(({ format, text }) => `${format}:${text}`)
}
