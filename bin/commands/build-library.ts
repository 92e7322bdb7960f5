/**
 * The library's entries in dist/: CommonJS, the only form that Jest loads without flags, and ES modules that export the
 * content of the CommonJS files. A program that imports both forms therefore loads the library once.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { build } from 'vite'

const ENTRIES = ['library', 'matchers'] as const
const ONLY_TYPES = ['matchers/vitest', 'matchers/jest'] as const

/** `dist` must already contain the compiled sources. */
export async function buildLibrary(root: string, dist: string): Promise<void> {
  // The compiled files would be a second copy of the library.
  for (const file of filesIn(join(dist, 'bin', 'library'))) if (file.endsWith('.js')) rmSync(file)
  await bundle(root, dist)
  const load = createRequire(join(dist, 'bin', 'library.js'))
  for (const name of ENTRIES) {
    const names = Object.keys(load(`./${name}.cjs`)).join(', ')
    writeFileSync(join(dist, 'bin', `${name}.js`), `export { ${names} } from ${JSON.stringify(`./${name}.cjs`)}\n`)
  }
  for (const name of ONLY_TYPES) {
    writeFileSync(join(dist, 'bin', `${name}.js`), 'export {}\n')
    writeFileSync(join(dist, 'bin', `${name}.cjs`), "'use strict'\n")
  }
  writeDeclarations(dist)
}

/** A module that is loaded on demand keeps the path of its source, so that it finds the files next to it. */
async function bundle(root: string, dist: string): Promise<void> {
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    // jose exists as ES modules only.
    ssr: { noExternal: ['jose'] },
    build: {
      ssr: true,
      outDir: dist,
      emptyOutDir: false,
      copyPublicDir: false,
      target: 'node22',
      minify: false,
      rolldownOptions: {
        preserveEntrySignatures: 'strict',
        input: Object.fromEntries(ENTRIES.map((name) => [`bin/${name}`, join(root, 'bin', `${name}.ts`)])),
        output: {
          format: 'cjs',
          // Comments are in the declarations; licences must remain.
          comments: { legal: true, annotation: false, jsdoc: false },
          entryFileNames: '[name].cjs',
          // A folder node_modules in the output would be mistaken for that of the package.
          chunkFileNames: ({ facadeModuleId, name }) =>
            facadeModuleId && !facadeModuleId.includes('node_modules')
              ? relative(root, facadeModuleId).replace(/\.ts$/, '.cjs')
              : `bin/library/${name}.cjs`,
        },
      },
    },
  })
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

/** Imports of this project's sources, whose extension the compiler keeps in declarations. */
const OUR_SOURCE = /(?<=\bfrom |\bimport\()(['"])(\.[^'"]+)\.ts\1/g

/** Keeps the declarations that the entries need, for both kinds of modules, and removes all others. */
function writeDeclarations(dist: string): void {
  const needed = new Map<string, string>()
  const follow = (file: string) => {
    if (needed.has(file)) return
    const text = readFileSync(file, 'utf8')
    needed.set(file, text)
    for (const [, , source] of text.matchAll(OUR_SOURCE)) follow(join(dirname(file), `${source}.d.ts`))
  }
  for (const name of [...ENTRIES, ...ONLY_TYPES]) follow(join(dist, 'bin', `${name}.d.ts`))
  for (const file of filesIn(dist)) if (file.endsWith('.d.ts') && !needed.has(file)) rmSync(file)
  for (const [file, text] of needed) {
    writeFileSync(file, text.replace(OUR_SOURCE, '$1$2.js$1'))
    writeFileSync(file.replace(/\.ts$/, '.cts'), text.replace(OUR_SOURCE, '$1$2.cjs$1'))
  }
}
