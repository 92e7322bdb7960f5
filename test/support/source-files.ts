import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')

export const tsSources = (): readonly { readonly file: string; readonly text: string }[] =>
  globSync('{bin,drivers,emulator,scenarios,server}/**/*.{ts,tsx}', { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .sort()
    .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))
