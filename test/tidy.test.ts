/** The tests limit which folders may import which, and which entries the top level has. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { commentsOf, readCitations } from './support/citations.ts'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')

interface Border {
  /** A folder or a file. The most specific entry comes first. */
  readonly from: string
  readonly may: readonly string[]
}

/**
 * The first entry that matches applies. `{x}` is the family of the importing file, so a family may import only its own
 * folder. `{any}` is any family.
 */
const BORDERS: readonly Border[] = [
  { from: 'drivers/model/', may: ['drivers/model/'] },
  { from: 'drivers/host/', may: ['drivers/host/', 'drivers/model/'] },
  { from: 'drivers/wire/', may: ['drivers/wire/', 'drivers/model/'] },
  { from: 'drivers/family-{x}/protocol/', may: ['drivers/family-{x}/protocol/', 'drivers/wire/', 'drivers/model/'] },
  {
    from: 'drivers/family-{x}/',
    may: ['drivers/family-{x}/', 'drivers/wire/', 'drivers/model/', 'drivers/link/', 'drivers/family.ts'],
  },
  { from: 'drivers/link/', may: ['drivers/link/', 'drivers/wire/', 'drivers/model/'] },
  { from: 'drivers/', may: ['drivers/'] },
  {
    from: 'emulator/fiscal/',
    may: [
      'emulator/fiscal/',
      'emulator/print/',
      'emulator/device-display.ts',
      'drivers/model/',
      'drivers/host/sqlite.ts',
      'drivers/host/digest.ts',
    ],
  },
  { from: 'emulator/print/', may: ['emulator/print/', 'emulator/fiscal/', 'drivers/model/', 'drivers/host/markup.ts'] },
  {
    from: 'emulator/family-{x}/',
    may: [
      'emulator/family-{x}/',
      'drivers/host/digest.ts',
      'emulator/fiscal/',
      'emulator/print/',
      'emulator/wire.ts',
      'emulator/composed-wire.ts',
      'emulator/handler.ts',
      'emulator/switches.ts',
      'emulator/advice.ts',
      'drivers/family-{x}/protocol/',
      'drivers/wire/',
      'drivers/model/',
      'drivers/host/markup.ts',
    ],
  },
  { from: 'emulator/', may: ['emulator/', 'drivers/wire/', 'drivers/model/', 'drivers/host/'] },
  // These files contain data and pure functions: no device commands, no input, no output.
  { from: 'server/operations/operation.ts', may: ['drivers/model/'] },
  { from: 'server/operations/evidence.ts', may: ['drivers/model/'] },
  { from: 'server/operations/outcome.ts', may: ['drivers/model/'] },
  { from: 'server/operations/sentences.ts', may: ['server/operations/outcome.ts', 'drivers/model/'] },
  {
    from: 'server/operations/verdict.ts',
    may: ['server/operations/operation.ts', 'server/operations/evidence.ts', 'drivers/model/'],
  },
  { from: 'server/operations/journal-lines.ts', may: ['server/operations/operation.ts', 'drivers/model/'] },
  { from: 'server/operations/payments.ts', may: ['server/operations/operation.ts', 'drivers/model/'] },
  {
    from: 'server/operations/log/',
    may: [
      'server/operations/log/',
      'server/private-files.ts',
      'server/operations/operation.ts',
      'server/operations/outcome.ts',
      'server/envelope.ts',
      'server/file-identity.ts',
      'drivers/model/',
      'drivers/host/sqlite.ts',
      'drivers/host/foreign-file.ts',
    ],
  },
  {
    from: 'server/operations/',
    may: [
      'server/operations/',
      'server/endpoint.ts',
      'server/envelope.ts',
      'server/limits.ts',
      'server/printer-queue.ts',
      'server/receipt.ts',
      'drivers/model/',
    ],
  },
  { from: 'server/', may: ['server/', 'drivers/index.ts', 'drivers/family.ts', 'drivers/model/', 'drivers/host/'] },
  // The mock platform judges the service, so the two share no code.
  {
    from: 'scenarios/mock-platform/',
    may: ['scenarios/mock-platform/', 'scenarios/runner/fields.ts', 'drivers/model/', 'drivers/host/'],
  },
  { from: 'scenarios/oracle/', may: ['scenarios/oracle/'] },
  {
    from: 'scenarios/exam/',
    may: [
      'scenarios/exam/',
      'scenarios/oracle/',
      'scenarios/report/',
      'scenarios/terminal.ts',
      'scenarios/temporary-folder.ts',
      'emulator/',
      'drivers/model/',
      'drivers/host/',
    ],
  },
  {
    from: 'scenarios/passport/',
    may: [
      'scenarios/passport/',
      'scenarios/report/',
      'scenarios/terminal.ts',
      'drivers/family-{any}/protocol/',
      'drivers/link/port.ts',
      'drivers/wire/',
      'drivers/model/',
      'drivers/host/',
      'emulator/',
    ],
  },
  { from: 'scenarios/', may: ['scenarios/', 'server/', 'emulator/', 'drivers/'] },
  { from: 'bin/', may: ['bin/', 'server/', 'emulator/', 'drivers/', 'scenarios/'] },
  { from: 'test/', may: ['test/', 'bin/', 'scenarios/', 'server/', 'emulator/', 'drivers/', 'fixtures/'] },
  { from: '', may: [''] },
]

const FOLDERS = ['bin', 'drivers', 'emulator', 'server', 'scenarios', 'test']

function sources(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((name) => /\.(ts|tsx|mts|mjs)$/.test(name) && !name.includes('node_modules'))
}

function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  const found: string[] = []
  for (const match of text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*['"](\.[^'"]+)['"]/g)) {
    // The bundler reads the part after the question mark.
    const [name = ''] = (match[1] as string).split('?')
    found.push(relative(root, join(root, dirname(file), name)).replaceAll('\\', '/'))
  }
  return found
}

function matches(pattern: string, file: string, family: string | undefined): boolean {
  if (pattern.includes('{any}')) {
    const named = /family-([a-z])\//.exec(file)?.[1]
    return named !== undefined && file.startsWith(pattern.replace('{any}', named))
  }
  if (pattern.includes('{x}')) return family !== undefined && file.startsWith(pattern.replace('{x}', family))
  return pattern.endsWith('.ts') ? file === pattern : file.startsWith(pattern)
}

/** Returns sentences of the form "a.ts may not import b.ts". */
function crossings(file: string, imports: readonly string[]): string[] {
  const family = /family-([a-z])\//.exec(file)?.[1]
  const border = BORDERS.find(({ from }) => matches(from, file, family))
  return imports
    .filter((target) => !border?.may.some((allowed) => matches(allowed, target, family)))
    .map((target) => `${file} may not import ${target}`)
}

/** Returns the shortest chain of imports from a file back to itself, or an empty list. */
function circleFrom(start: string, imports: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const ways: (readonly string[])[] = [[start]]
  const seen = new Set<string>()
  for (const way of ways) {
    for (const next of imports.get(way.at(-1) ?? '') ?? []) {
      if (next === start) return [[...way, start].join(' -> ')]
      if (!seen.has(next)) ways.push([...way, next])
      seen.add(next)
    }
  }
  return []
}

/**
 * Types are not matched: declarations of the package name types of other files, so those types must be exported
 * (TS4023).
 */
const EXPORTED = /^export (?:abstract |async )?(?:function\*?|const|let|class) (\w+)/gm

/**
 * Returns sentences about exports that no other file names. `texts` maps each file that may import another to its text.
 */
function needlessExports(
  texts: ReadonlyMap<string, string>,
  importsFrom: (file: string) => readonly string[],
): string[] {
  const importers = new Map<string, string[]>()
  for (const file of texts.keys())
    for (const target of importsFrom(file)) importers.set(target, [...(importers.get(target) ?? []), file])
  const isUsed = (name: string, file: string): boolean =>
    isEntry(file) ||
    (importers.get(file) ?? []).some((one) => {
      const text = texts.get(one) ?? ''
      if (new RegExp(`\\b${name}\\b`).test(text)) return true
      return text.includes(`/${basename(file)}'`) && /export type \* from/.test(text) && isUsed(name, one)
    })
  return [...texts].flatMap(([file, text]) =>
    [...text.matchAll(EXPORTED)]
      .filter(([, name]) => !isUsed(name as string, file))
      .map(([, name]) => `${file} exports ${name}, which no other file uses`),
  )
}

/**
 * No file of the product imports these files: users of the package import them, they declare types of JavaScript files,
 * or the bundler imports them under the names of other modules.
 */
const isEntry = (file: string) =>
  /^bin\/(?:library|matchers)(?:\/(?:vitest|jest))?\.ts$|^bin\/site\/browser\/replacements\/|\.d\.mts$/.test(file)

describe('exports of the product', () => {
  it('are each used by another file', () => {
    const texts = new Map(FOLDERS.flatMap(sources).map((file) => [file, readFileSync(join(root, file), 'utf8')]))
    const needless = needlessExports(texts, importsOf).filter((sentence) => !sentence.startsWith('test/'))
    expect(needless).toEqual([])
  })

  it('are reported if only their own file uses them', () => {
    const texts = new Map([
      ['a.ts', 'export const one = 1\nexport const two = one\n'],
      ['b.ts', 'export const three = one\n'],
    ])
    expect(needlessExports(texts, (file) => (file === 'b.ts' ? ['a.ts'] : []))).toEqual([
      'a.ts exports two, which no other file uses',
      'b.ts exports three, which no other file uses',
    ])
  })
})

describe('the imports of the sources', () => {
  it('cross no border between folders', () => {
    expect(FOLDERS.flatMap(sources).flatMap((file) => crossings(file, importsOf(file)))).toEqual([])
  })

  it.each([
    ['drivers/model/money.ts', 'drivers/wire/field.ts'],
    ['drivers/family-a/protocol/frame.ts', 'drivers/family-b/protocol/frame.ts'],
    ['drivers/family-a/index.ts', 'emulator/emulator.ts'],
    ['emulator/fiscal/device.ts', 'drivers/wire/field.ts'],
    ['emulator/family-b/wire.ts', 'drivers/family-a/protocol/index.ts'],
    ['emulator/family-a/wire.ts', 'drivers/family-a/index.ts'],
    ['emulator/line/device-loop.ts', 'drivers/link/link.ts'],
    ['emulator/panel/panel.ts', 'server/app.ts'],
    ['server/operations/verdict.ts', 'server/operations/run.ts'],
    ['server/operations/operation.ts', 'server/operations/under-way.ts'],
    ['server/operations/log/answers.ts', 'server/operations/run.ts'],
    ['server/operations/run.ts', 'server/endpoints/complete.ts'],
    ['server/app.ts', 'drivers/wire/charset.ts'],
    ['server/app.ts', 'emulator/emulator.ts'],
    ['server/app.ts', 'drivers/family-a/protocol/index.ts'],
    ['scenarios/mock-platform/access.ts', 'server/orders/client.ts'],
    ['scenarios/oracle/frames-a.ts', 'drivers/model/money.ts'],
    ['scenarios/oracle/frames-a.ts', 'scenarios/simulation/steps.ts'],
    ['scenarios/exam/exam.ts', 'drivers/family-a/index.ts'],
    ['scenarios/exam/exam.ts', 'server/app.ts'],
    ['scenarios/passport/passport.ts', 'drivers/family-b/index.ts'],
    ['drivers/model/money.ts', 'drivers/host/sqlite.ts'],
    ['scenarios/runner/run.ts', 'bin/library.ts'],
    ['scenarios/runner/run.ts', 'test/support/bytes.ts'],
    ['bin/commands/check.ts', 'test/support/bytes.ts'],
  ])('are reported with both names: %s importing %s', (file, target) => {
    expect(crossings(file, [target])).toEqual([`${file} may not import ${target}`])
  })

  it('form no circle in the product, types included', () => {
    const product = ['bin', 'server', 'emulator', 'drivers', 'scenarios'].flatMap(sources)
    const imports = new Map(product.map((file) => [file, importsOf(file)]))
    expect(product.flatMap((file) => circleFrom(file, imports)).slice(0, 5)).toEqual([])
  })

  it('that form a circle are reported with the files in the circle', () => {
    const imports = new Map([
      ['a.ts', ['b.ts']],
      ['b.ts', ['c.ts', 'd.ts']],
      ['c.ts', ['b.ts']],
      ['d.ts', []],
    ])
    expect([...imports.keys()].map((file) => circleFrom(file, imports))).toEqual([
      [],
      ['b.ts -> c.ts -> b.ts'],
      ['c.ts -> b.ts -> c.ts'],
      [],
    ])
  })

  it('separate the rounding of the device from that of the service and the drivers', () => {
    const shared = sources('emulator').filter((file) => importsOf(file).includes('drivers/model/amounts.ts'))
    expect(shared).toEqual([])
  })

  it('of the model include neither Node nor a package', () => {
    const model = sources('drivers/model').filter((file) =>
      /\bfrom '(?!\.)/.test(readFileSync(join(root, file), 'utf8')),
    )
    expect(model).toEqual([])
  })

  it('name a file that exists, if they are relative', () => {
    const missing = FOLDERS.flatMap(sources).flatMap((file) =>
      importsOf(file)
        .filter((target) => !existsSync(join(root, target)) || !statSync(join(root, target)).isFile())
        .map((target) => `${file}: ${target}`),
    )
    expect(missing).toEqual([])
  })
})

interface Manifest {
  readonly dependencies: Record<string, string>
  readonly devDependencies: Record<string, string>
  readonly peerDependencies?: Record<string, string>
  readonly exports?: Record<string, unknown>
}

const manifest = (file: string): Manifest => JSON.parse(readFileSync(join(root, file), 'utf8'))

/** Returns the packages and subpaths that a source imports, such as `zod` and `preact/hooks`. */
function packagesOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  const statements = /^(?:import\s*|(?:import|export)\s[\w\s{},*]+\bfrom\s*)['"]([^'"]+)['"]/gm
  const calls = /\bimport\(\s*['"]([^'"]+)['"]|createRequire\([^)]*\)(?:\.resolve)?\(\s*['"]([^'"]+)['"]/g
  return [...text.matchAll(statements), ...text.matchAll(calls)]
    .map(([, statement, required]) => (statement ?? required) as string)
    .filter((name) => /^@?[a-z]/.test(name) && !name.startsWith('node:'))
}

const packageOf = (name: string): string =>
  name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/')

/** Only commands of the checkout build or run this code. */
const isBuilt = (file: string) =>
  /^(?:emulator\/panel\/page|server\/docs\/page|bin\/docs|bin\/site)\//.test(file) ||
  /^bin\/commands\/(?:build-panel-page|build-library)\.ts$/.test(file)

const isForRunners = (file: string) => file.startsWith('bin/matchers/')

const isOfOthers = (file: string) => file.startsWith('test/package/types/')

/** The file contains only types, so it may name an optional package. */
const hasOnlyTypes = (file: string) => file === 'bin/library/types.ts'

/** Returns sentences about undeclared packages, and about subpaths that a package does not export. */
function packageMistakes(file: string, names: readonly string[]): string[] {
  if (isOfOthers(file)) return []
  const { dependencies, devDependencies, peerDependencies } = manifest('package.json')
  const isProduct = !file.startsWith('test/') && !/^[^/]+$/.test(file) && !isBuilt(file) && !isForRunners(file)
  const own = hasOnlyTypes(file) ? { ...dependencies, ...peerDependencies } : dependencies
  const declared = isProduct ? own : { ...dependencies, ...devDependencies }
  return names.flatMap((name) => {
    const owner = packageOf(name)
    if (owner === 'fiscal-rig') return [] // Sample programs have the package itself installed.
    if (!(owner in declared)) return `${file} imports ${name}: ${owner} is not in its list of package.json`
    const part = `.${name.slice(owner.length)}`
    if (part === '.' || part in (manifest(`node_modules/${owner}/package.json`).exports ?? {})) return []
    return `${file} imports ${name}: ${owner} does not export ${part}`
  })
}

describe('comments about a whole file', () => {
  it('are at its first line, where no editor takes them for the next declaration', () => {
    const wrong = FOLDERS.flatMap(sources).filter((file) =>
      /\n\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n\n/.test(readFileSync(join(root, file), 'utf8')),
    )
    expect(wrong).toEqual([])
  })
})

describe('the packages of the product', () => {
  const files = [...FOLDERS.flatMap(sources), ...readdirSync(root).filter((name) => name.endsWith('.ts'))]

  it('are declared with the code that imports them: for running, or only for the checkout', () => {
    expect(files.flatMap((file) => packageMistakes(file, packagesOf(file)))).toEqual([])
  })

  it.each([
    ['server/app.ts', 'supertest', 'supertest is not in its list of package.json'],
    ['bin/library/printer.ts', 'serialport', 'serialport is not in its list of package.json'],
    ['test/line/pty.test.ts', '@serialport/list', '@serialport/list is not in its list of package.json'],
    [
      'emulator/line/terminal.ts',
      '@serialport/bindings-cpp/dist/load-bindings.js',
      '@serialport/bindings-cpp does not export ./dist/load-bindings.js',
    ],
  ])('are reported if undeclared: %s importing %s', (file, name, why) => {
    expect(packageMistakes(file, [name])).toEqual([`${file} imports ${name}: ${why}`])
  })

  it('have their reasons on the page for contributors if they are for running', () => {
    const page = readFileSync(join(root, 'server/docs/guide/contributing.md'), 'utf8')
    const reasons = [...page.matchAll(/^\| ((?:@?[a-z][\w./-]*)) \| [^|]{4,} \|$/gm)].map(([, name]) => name)
    expect(reasons).toEqual(expect.arrayContaining(Object.keys(manifest('package.json').dependencies)))
  })

  it('are all imported, except the programs that scripts and tests run', () => {
    const { dependencies, devDependencies } = manifest('package.json')
    const imported = new Set(files.flatMap(packagesOf).map(packageOf))
    const unused = Object.keys({ ...dependencies, ...devDependencies }).filter(
      (name) => !imported.has(name) && !name.startsWith('@types/'),
    )
    expect(unused).toEqual([
      '@arethetypeswrong/cli',
      '@biomejs/biome',
      '@stryker-mutator/core',
      '@stryker-mutator/vitest-runner',
      'node',
      'publint',
      'swagger-ui-dist',
      'typescript',
    ])
  })
})

/** Captures the section of the protocol specification in `command('name', code, 'section', ...)`. */
const COMMAND = /\bcommand\(\s*'\w+',\s*\w+,\s*'([\d.]+)'/g

describe('the citations of the sources', () => {
  const citations = readCitations(root)
  const familyOf = (file: string) => /family-([a-z])\b/.exec(file)?.[1]?.toUpperCase()

  it('lead from every comment to an existing section', () => {
    const wrong = FOLDERS.flatMap(sources).flatMap((file) =>
      commentsOf(readFileSync(join(root, file), 'utf8'))
        .flatMap((comment) => citations.mistakes(comment, familyOf(file)))
        .map((mistake) => `${file}: ${mistake}`),
    )
    expect(wrong).toEqual([])
  })

  it('lead from document to document', () => {
    const readmes = [
      'README.md',
      'CHANGELOG.md',
      'emulator/README.md',
      'scenarios/README.md',
      'server/docs/guide/contributing.md',
    ].flatMap((file) =>
      citations.mistakes(readFileSync(join(root, file), 'utf8'), undefined).map((mistake) => `${file}: ${mistake}`),
    )
    expect([...citations.mistakesInside(), ...readmes]).toEqual([])
  })

  it.each(['scenarios', 'emulator'])(
    'of the README of %s/ name files of that folder, and every folder of code',
    (folder) => {
      const text = readFileSync(join(root, folder, 'README.md'), 'utf8').replace(/(family|frames|replay)-x\b/g, '$1-a')
      const files = FOLDERS.flatMap(sources)
      const missing = [...text.matchAll(/[\w/-]+\.ts\b/g)]
        .map(([name]) => name)
        .filter((name) => !files.some((file) => file === name || file.endsWith(`/${name}`)))
      const folders = new Set(sources(folder).flatMap((file) => /^\w+\/([\w-]+)\//.exec(file)?.[1] ?? []))
      const undrawn = [...folders].filter((name) => !text.includes(`${name.replace(/^family-[a-z]$/, 'family-a')}/`))
      expect({ missing, undrawn }).toEqual({ missing: [], undrawn: [] })
    },
  )

  it('name existing files and folders', () => {
    const wrong = FOLDERS.flatMap(sources).flatMap((file) =>
      commentsOf(readFileSync(join(root, file), 'utf8'))
        .flatMap((comment) => [
          ...comment.matchAll(/(?<![\w./])(?:bin|drivers|emulator|server|scenarios|test|fixtures)\/[\w./-]*\w/g),
        ])
        .map(([path]) => path.replace(/family-x\b/, 'family-a'))
        .filter((path) => !/^(?:emulator\/panel|server\/docs)\/dist$/.test(path) && !existsSync(join(root, path)))
        .map((path) => `${file}: there is no ${path}`),
    )
    expect(wrong).toEqual([])
  })

  it('lead from every declared command and endpoint to an existing section', () => {
    const cited = (folder: string, pattern: RegExp, documentOf: (file: string) => string) =>
      sources(folder).flatMap((file) =>
        [...readFileSync(join(root, file), 'utf8').matchAll(pattern)]
          .map(([, section]) => section as string)
          .filter((section) => !citations.has(documentOf(file), section))
          .map((section) => `${file}: ${documentOf(file)} has no section ${section}`),
      )
    expect([
      ...cited('drivers', COMMAND, (file) => `sheet ${familyOf(file)}`),
      ...cited('test/family-d', COMMAND, (file) => `sheet ${familyOf(file)}`),
      ...cited('server', /\bsection: '([\d.]+)'/g, () => 'specification'),
    ]).toEqual([])
  })

  it.each([
    ['the times of sheet 99.1', 'A', 'drivers/family-a/protocol.md has no section 99.1'],
    ['see sheet 6.4', undefined, 'of which family? Write "sheet A 6.4"'],
    ['see section 6.4', 'A', 'name the document'],
    ['decisions 3 and 77', undefined, 'server/decisions.md has no section 77'],
  ])('are reported if the section does not exist: %j', (comment, family, why) => {
    expect(citations.mistakes(comment, family)).toEqual([expect.stringContaining(why)])
  })
})

interface Lock {
  readonly packages: Record<
    string,
    { readonly integrity?: string; readonly optionalDependencies?: Record<string, string> }
  >
}

/**
 * Files that name a path of one operating system, each with the code that excludes other systems. Paths in examples do
 * not count.
 */
const OF_ONE_SYSTEM: Readonly<Record<string, RegExp>> = {
  'bin/commands/doctor.ts': /if \(process\.platform !== 'linux'\) return \[\]/,
  'bin/commands/test-suite.ts': /catch/,
  'bin/debian-programs.mjs': /Debian/,
  'bin/linux-ports.ts': /process\.platform !== 'linux'\) return \[\]/,
  // pty.ts uses this file on Linux only.
  'emulator/line/pty.ts': /process\.platform === 'linux'\n\s+\? createUnread/,
  'emulator/line/unread-answers.ts': /createUnread/,
  'scenarios/exam/command-till.ts': /catch/,
}

it('a path of one system is named only if the other systems are excluded', () => {
  const found = FOLDERS.flatMap(sources)
    .filter((file) => !/^(?:test|bin\/docs|bin\/site)\//.test(file))
    .filter((file) => {
      const code = readFileSync(join(root, file), 'utf8').replaceAll(/^\s*(?:\*|\/\/|\/\*).*$/gm, '')
      return /['"`]\/(?:bin|dev|etc|proc|run|sys|usr)(?:\/(?!ttyUSB0)|['"`])/.test(code)
    })
  expect(found.sort()).toEqual(Object.keys(OF_ONE_SYSTEM).sort())
  for (const [file, sign] of Object.entries(OF_ONE_SYSTEM)) {
    expect(readFileSync(join(root, file), 'utf8')).toMatch(sign)
  }
})

describe('the repository', () => {
  it('has the required top level', () => {
    for (const name of [
      'package.json',
      'server',
      'emulator',
      'drivers',
      'fixtures',
      'scenarios',
      'bin',
      'test',
      '.ci/run',
    ]) {
      expect(existsSync(join(root, name)), name).toBe(true)
    }
  })

  it('names no download host in its lock file', () => {
    expect(readFileSync(join(root, 'package-lock.json'), 'utf8')).not.toMatch(/"resolved": "http/)
  })

  it('locks every package with its hash, those of other systems too: `npm ci` refuses less', () => {
    const { packages }: Lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
    const places = Object.keys(packages)
    const unlocked = Object.values(packages)
      .flatMap(({ optionalDependencies = {} }) => Object.keys(optionalDependencies))
      .filter((name) => !places.some((place) => place.endsWith(`node_modules/${name}`)))
    const unhashed = places.filter((place) => place !== '' && packages[place]?.integrity === undefined)
    expect({ unlocked, unhashed }).toEqual({ unlocked: [], unhashed: [] })
  })

  it("names manufacturers and their products in the README's list of sources only", () => {
    const [, sources = ''] = readFileSync(join(root, 'README.md'), 'utf8').split('## Sources')
    const names = [...sources.matchAll(/\*\*(\w+)\*\*/g)].map(([, name]) => name as string)
    expect(names.length).toBeGreaterThan(3)
    const named = new RegExp(`\\b(?:${names.join('|')})\\b`, 'i')
    const files = [...FOLDERS, 'fixtures'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8', withFileTypes: true })
        .filter(
          (entry) => entry.isFile() && /\.(?:[cm]?[jt]sx?|json|ya?ml|md|txt|html|css|py|c|java|sh)$/.test(entry.name),
        )
        .map((entry) => join(entry.parentPath, entry.name)),
    )
    const others = ['CHANGELOG.md', 'package.json'].map((file) => join(root, file))
    expect([...files, ...others].filter((file) => named.test(readFileSync(file, 'utf8')))).toEqual([])
  })

  // A child process that holds the runner's output keeps vitest from ending: "close timed out after 10000ms".
  it('starts no program of a test on the outputs of the test runner', () => {
    const files = sources('test').filter((file) => !/^test\/(bench|mutants)\/|tidy\.test/.test(file))
    expect(files.filter((file) => /stdio:.*'inherit'/.test(readFileSync(join(root, file), 'utf8')))).toEqual([])
  })

  // The time limit of vitest is one second by default, which is too short on a busy machine.
  it('waits as long as the configuration says, wherever a test waits for an event', () => {
    const files = sources('test').filter((file) => !/^test\/support\/wait-until\.ts|tidy\.test/.test(file))
    expect(files.filter((file) => /\bvi\.wait(?:For|Until)\(/.test(readFileSync(join(root, file), 'utf8')))).toEqual([])
  })

  it('names paths and fields of the API in no code of the emulator, except on the page, which is a client', () => {
    const words =
      /-fiscal-receipt|\/register-(?:plu|free)|\b(?:PluNumber|OperatorCode|PaymentMode|DiscountType|ReceiptItems)\b/
    const naming = sources('emulator')
      .filter((file) => !file.startsWith('emulator/panel/page/'))
      .filter((file) => {
        const text = readFileSync(join(root, file), 'utf8').replace(
          /\/\*\*[\s\S]*?\*\/|(?:description|examples): .*/g,
          '',
        )
        return words.test(text)
      })
    expect(naming).toEqual([])
  })

  it('acts on the device, and queries its evidence, in one file of the service', () => {
    const acts =
      /open(?:Non)?Fiscal|sell(?:Article)?|pay|(?:close|cancel)(?:Non)?Fiscal|print\w+|report[XZ]|copyLastReceipt|moveCash/
    const asks = /evidence|documentOf|linesOf|last(?:Document|Receipt|ReportZ)|brokenSince/
    const call = new RegExp(`\\bprinter\\.(?:${acts.source}|${asks.source})(?:\\?\\.)?\\(`)
    const files = sources('server').filter((file) => call.test(readFileSync(join(root, file), 'utf8')))
    expect(files).toEqual(['server/operations/run.ts'])
  })

  it('checks for a family, and lists the families, in no code outside of them', () => {
    const askers = ['drivers', 'emulator', 'server', 'scenarios', 'bin']
      .flatMap(sources)
      .filter((file) => !/family-[a-z]\//.test(file))
      .filter((file) =>
        /family\s*[!=]==\s*'[A-Z]'|'A'\s*[|,]\s*'B'(?!.*'D')/.test(readFileSync(join(root, file), 'utf8')),
      )
    expect(askers).toEqual([])
  })

  it('names no family in the service, which distinguishes families by their capabilities', () => {
    const naming = sources('server').filter((file) =>
      /[Ff]amil(?:y|ies) [A-Z]\b/.test(readFileSync(join(root, file), 'utf8')),
    )
    expect(naming).toEqual([])
  })
})
