import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { nodeProgram } from '../../bin/node-program.mjs'

const root = join(import.meta.dirname, '..', '..')
const read = (name: string) => JSON.parse(readFileSync(join(root, name), 'utf8'))

interface Locked {
  readonly version?: string
  readonly integrity?: string
  readonly hasInstallScript?: boolean
  readonly link?: boolean
}
const locked = Object.entries(read('package-lock.json').packages as Record<string, Locked>).filter(([at]) => at !== '')
const manifest = read('package.json') as Record<string, Record<string, unknown>>

describe('the lock file', () => {
  it('has a hash of every package', () => {
    expect(locked.length).toBeGreaterThan(100)
    expect(locked.filter(([, { integrity = '', link }]) => link || !/^sha512-[\w+/]{86}==$/.test(integrity))).toEqual(
      [],
    )
  })

  it('names the packages with an install script: prebuilt bindings that download nothing, Node, whose program is compared, and two scripts that are not run', () => {
    const scripts = locked.filter(([, { hasInstallScript }]) => hasInstallScript).map(([at]) => at)
    const names = [...new Set(scripts.map((at) => at.slice(at.lastIndexOf('node_modules/') + 13)))]
    expect(names.toSorted()).toEqual(['@scarf/scarf', '@serialport/bindings-cpp', 'msgpackr-extract', 'node'])
    expect(manifest['allowScripts']).toMatchObject({ '@scarf/scarf': false, 'msgpackr-extract': false })
    // @scarf/scarf counts installations. Its own setting disables that as well, because an npm without allowScripts
    // runs its script.
    expect(manifest['scarfSettings']).toEqual({ enabled: false })
    expect(Object.keys(manifest['allowScripts'] ?? {}).toSorted()).toEqual(names.toSorted())
  })

  it('has exact versions in package.json', () => {
    const versions = Object.entries({ ...manifest['dependencies'], ...manifest['devDependencies'] })
    expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(String(version)))).toEqual([])
  })
})

describe("the project's own Node", () => {
  const checkout = (program?: string) => {
    const folder = mkdtempSync(join(tmpdir(), 'supply-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const bin = join(folder, 'node_modules', 'node', 'bin')
    mkdirSync(bin, { recursive: true })
    if (program !== undefined) writeFileSync(join(bin, 'node'), program)
    return folder
  }

  it('is the program whose hash is known', () => {
    expect(nodeProgram(root)).toEqual({ path: join(root, 'node_modules', 'node', 'bin', 'node') })
    expect(manifest['devDependencies']?.['node']).toBe('24.21.0')
  })

  it('is not run if it is another program', () => {
    expect(nodeProgram(checkout('#!/bin/sh\necho stolen\n')).wrong).toMatch(
      /is not the program .* expected [0-9a-f]{64}/,
    )
  })

  it('is requested if it is missing', () => {
    expect(nodeProgram(checkout()).missing).toContain('npm ci')
  })

  it("is the user's Node on a machine without a listed program, if it is new enough", () => {
    const on = (node: string) =>
      nodeProgram(root, { machine: 'aix-ppc64', own: { execPath: 'own', versions: { node } } })
    expect(on('24.1.0')).toEqual({ path: 'own' })
    expect(on('22.13.0').wrong).toContain('Node 24')
  })

  it('is not installed with the package', () => {
    expect(manifest['optionalDependencies']).toBeUndefined()
    expect(Object.keys(manifest['dependencies'] ?? {}).filter((name) => /^node(-|$)/.test(name))).toEqual([])
  })
})

it('npm run sbom names every package of the lock file with its hash', () => {
  const text = execFileSync('npm', ['run', '--silent', 'sbom'], { cwd: root, encoding: 'utf8', shell: false })
  const { components, bomFormat } = JSON.parse(text) as {
    bomFormat: string
    components: readonly { name: string; group?: string; version: string; hashes?: readonly object[] }[]
  }
  expect(bomFormat).toBe('CycloneDX')
  const full = ({ group, name }: { group?: string; name: string }) => (group === undefined ? name : `${group}/${name}`)
  const named = new Set(components.map((one) => `${full(one)}@${one.version}`))
  const missing = locked.filter(
    ([at, { version }]) => !named.has(`${at.slice(at.lastIndexOf('node_modules/') + 13)}@${version}`),
  )
  expect(missing.map(([at]) => at)).toEqual([])
})
