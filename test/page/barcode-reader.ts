import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import { isDeep } from '../support/slice.ts'

const program = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm')

/**
 * Returns one entry per symbol, such as `EAN13:5901234123457`, sorted. In `npm run test:deep`, zbar must read the same
 * codes.
 */
export async function codesOn(png: Buffer): Promise<string[]> {
  // ZXing would otherwise fetch its program from the network.
  prepareZXingModule({ overrides: { wasmBinary: Uint8Array.from(readFileSync(program)).buffer } })
  const symbols = await readBarcodes(Uint8Array.from(png), { tryHarder: true, tryDownscale: true })
  const codes = symbols.map(({ format, text }) => `${format}:${text}`).toSorted()
  if (isDeep && codes.length > 0 && codes.every((code) => nameInZbar(code) !== undefined))
    expect(readByZbar(png)).toEqual(codes.map(nameInZbar).toSorted())
  return codes
}

const NAMES: Readonly<Record<string, string>> = {
  EAN8: 'EAN-8',
  EAN13: 'EAN-13',
  Code128: 'CODE-128',
  Code39: 'CODE-39',
  Code93: 'CODE-93',
  ITF: 'I2/5',
  Codabar: 'Codabar',
  QRCode: 'QR-Code',
}

/** Returns `undefined` for stacked codes, which Debian's zbar cannot read. */
function nameInZbar(code: string): string | undefined {
  const at = code.indexOf(':')
  const [format, text] = [code.slice(0, at), code.slice(at + 1)]
  const name = NAMES[format]
  return name === undefined ? undefined : `${name}:${text}`
}

function readByZbar(png: Buffer): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'fiscal-rig-zbar-'))
  try {
    writeFileSync(join(folder, 'paper.png'), png)
    const { stdout } = spawnSync('zbarimg', ['--quiet', '--nodbus', join(folder, 'paper.png')], { encoding: 'utf8' })
    return stdout
      .split('\n')
      .filter((line) => line !== '')
      .toSorted()
  } finally {
    rmSync(folder, { recursive: true })
  }
}
