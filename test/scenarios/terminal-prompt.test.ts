import { spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { Exit } from '../../bin/exit.ts'
import { promptAt } from '../../bin/terminal-prompt.ts'
import { systemClock } from '../../drivers/model/clock.ts'
import { createEmulator } from '../../emulator/emulator.ts'
import { scenarioFile } from './play.ts'

it('the prompt waits for Enter at each manual action', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const person = promptAt(input, output)
  for (const what of ['take the paper out', 'put the paper in']) {
    let isDone = false
    const done = person.prompt(what).then(() => {
      isDone = true
    })
    expect(String(output.read())).toBe(`\n>>> ${what}, then press Enter `)
    input.write('not yet')
    await new Promise(setImmediate)
    expect(isDone).toBe(false)
    input.write('\n')
    await done
  }
})

it('the prompt reports the missing answer if the terminal has no more input', async () => {
  const input = new PassThrough()
  const asking = promptAt(input, new PassThrough()).prompt('open the cover')
  input.end()
  await expect(asking).rejects.toThrow(Exit)
  await expect(asking).rejects.toThrow(
    '--by-hand: the terminal was closed before Enter was pressed for: open the cover',
  )
})

const PAPER = `
name: the roll is changed
steps:
  - paper: out
  - post /report-x:
    expect: { StatusCode: 424 }
  - paper: ok
  - post /report-x:
`

it('the prompt appears on a real terminal, and the run continues after Enter', async () => {
  const emulator = createEmulator({ family: 'A', clock: systemClock })
  const port = join(tmpdir(), `fiscal-rig-hand-${process.pid}`)
  await emulator.openPty(port)
  const hands = new Map<string, () => void>([
    ['take the paper out', () => emulator.setPaper('out')],
    ['put the paper in', () => emulator.setPaper('ok')],
  ])
  const command = [process.execPath, 'bin/fiscal-rig.ts', 'run', scenarioFile(PAPER), '--target', port, '--family', 'A']
  // The input of socat is what a person types, and its output is what the program shows.
  const terminal = spawn('socat', ['-', `EXEC:${[...command, '--by-hand'].join(' ')},pty,setsid,ctty,stderr,echo=0`])
  let output = ''
  let answered: string[] = []
  terminal.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
    const prompts = [...output.matchAll(/>>> (.+?), then press Enter /g)].map(([, what = '']) => what)
    for (const what of prompts.slice(answered.length)) {
      hands.get(what)?.()
      terminal.stdin.write('\n')
    }
    answered = prompts
  })
  try {
    await new Promise((resolve) => terminal.stdout.once('end', resolve))
  } finally {
    terminal.kill()
    await emulator.close()
  }
  expect(answered).toEqual(['take the paper out', 'put the paper in'])
  expect(output).toMatch(/1 passed/)
}, 60_000)
