/** The guide's recipe for a session as a scenario works at every start of a device, not only at its first. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { FREE_PORTS, type Running, start, startProgram } from '../support/command.ts'
import { has, needing } from '../support/required-program.ts'
import { GUIDE, readPage, root } from './pages.ts'

const OUR_PROGRAM = `'${process.execPath}' --disable-warning=ExperimentalWarning '${join(root, 'bin', 'fiscal-rig.ts')}'`

/** The lines of the page, for the ports of this service. */
function recipeFor(address: Readonly<Record<string, unknown>>): string {
  const lines = readPage(`${GUIDE}/the-page.md`).fences.find(({ content }) => content.includes('session.yaml'))
  return (lines?.content ?? '')
    .replaceAll('http://127.0.0.1:65400/api', String(address['http']))
    .replaceAll('http://127.0.0.1:65402', String(address['panel']))
    .replaceAll('npx fiscal-rig', OUR_PROGRAM)
}

async function stop({ child, ended }: Running): Promise<void> {
  child.kill('SIGTERM')
  await ended
}

needing('curl', has('curl'))('the recipe for a session passes at the first and at the second start', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fiscal-rig-recipe-'))
  try {
    for (const count of [1, 2]) {
      const service = start(['serve', '--data', join(folder, 'data'), '--json', ...FREE_PORTS])
      try {
        const address = await service.ready()
        const cwd = join(folder, `start ${count}`)
        mkdirSync(cwd)
        const { status, out, err } = await startProgram('sh', ['-e', '-c', recipeFor(address)], { cwd }).ended
        expect([count, status, err]).toEqual([count, 0, ''])
        expect(out).toContain('1 passed')
        const post = (path: string) => fetch(`${address['panel']}${path}`, { method: 'POST' })
        expect((await post('/emulator/sample')).status).toBe(200)
      } finally {
        await stop(service)
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
