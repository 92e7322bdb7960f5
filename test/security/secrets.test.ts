/** Traces and recordings contain references to secrets, never the values of secrets. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recordTo } from '../../bin/record-requests.ts'
import { FAMILIES } from '../../drivers/families.ts'
import { createEmulator } from '../../emulator/emulator.ts'
import { emulatedFamilies } from '../../emulator/families.ts'
import { questionnaireFor } from '../../emulator/passport/passport-device.ts'
import { meaningOf, readFrames } from '../../scenarios/line/frames.ts'
import { MaskedRecorder } from '../../scenarios/line/masked-recorder.ts'
import type { Direction } from '../../scenarios/line/piece.ts'
import { withoutSecrets } from '../../scenarios/runner/report/secrets.ts'
import { settingsOf } from '../../server/config.ts'
import { play } from '../scenarios/play.ts'
import { FREE_PORTS, start } from '../support/command.ts'
import { runToEnd } from '../support/in-process.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fiscal-rig-secrets-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The secret must be removed from each of these texts. */
const HIDDEN = 'k5-Zq'
const TEXTS = [
  `POST /open-fiscal-receipt {"OperatorCode":1,"OperatorPassword":"${HIDDEN}"}`,
  `POST /open-fiscal-receipt {"OperatorCode":1,"OperatorPassword":"${HIDDEN}`,
  `{"text": "{\\"OperatorPassword\\":\\"${HIDDEN}\\"}"}`,
  `post /open: { OperatorPassword: ${HIDDEN}, OperatorCode: 1 }`,
  `password='${HIDDEN}'`,
  `Authorization: Bearer ${HIDDEN}`,
  `--target https://user:${HIDDEN}@host.example/api`,
  `clientSecret: "${HIDDEN}"`,
  `apiKey=${HIDDEN}`,
  `48,1,______,_,__;1;${HIDDEN};1;0`,
]

describe('a written text', () => {
  it.each(TEXTS)('contains no secret: %s', (text) => {
    const masked = withoutSecrets({ text })
    expect(masked.text).not.toContain(HIDDEN)
    expect(masked.text).toContain('***')
  })

  it('names the variable of a removed secret, and recognizes its value later', () => {
    const references = new Map([['s3cret-value', '$SHOP_SECRET']])
    const masked = withoutSecrets(
      { a: 'sent s3cret-value.', b: 'password: 47114711', c: 'refused: 47114711, not 147114711' },
      references,
    )
    expect(masked).toEqual({ a: 'sent $SHOP_SECRET.', b: 'password: ***', c: 'refused: ***, not 147114711' })
  })

  it('is unchanged without a secret', () => {
    const unchanged = { hex: '30 30 30 30', text: 'the password is wrong; number 0000', list: ['a', 1, null, true] }
    expect(withoutSecrets(unchanged)).toEqual(unchanged)
  })

  it('may contain a long secret without a delay', () => {
    const began = performance.now()
    for (const text of [
      'a'.repeat(200_000),
      'password'.repeat(25_000),
      '"password":"'.repeat(15_000),
      '48,;'.repeat(50_000),
    ])
      withoutSecrets({ text })
    expect(performance.now() - began).toBeLessThan(5000)
  })
})

describe('a report or a trace of run', () => {
  const SCENARIO = `name: secret
families: [A, B, C]
given:
  config:
    operators: { 1: { password: { env: RIG_TEST_PASSWORD } } }
steps:
  - post /open-fiscal-receipt: { OperatorCode: 1, OperatorPassword: "4718", PointOfSaleNumber: 1, Invoice: false }
  - post /cancel-fiscal-receipt:
  - post /Receipt: ["48,1,______,_,__;1;4718;1;0", "S,1,______,_,__;a;1.00;1.00;1;1;1;0;0", "56,1,______,_,__;"]
    expect: { ReceiptStatus: { oneOf: ["true", "false"] } }
`

  it('contains no password of an operator, neither in texts nor in frames, although the run used it', async () => {
    const file = join(folder, 'secret.yaml')
    const [trace, page] = [join(folder, 'secret.trace'), join(folder, 'secret.html')]
    writeFileSync(file, SCENARIO)
    const reports = ['--trace', trace, '--reporter', 'pretty', '--reporter', `html=${page}`]
    const { out, err } = await runToEnd(['run', file, ...reports], { env: { RIG_TEST_PASSWORD: '4718' } })
    expect(out + err).toContain('3 passed')
    const text = readFileSync(trace, 'utf8')
    const { accounts } = JSON.parse(text)
    expect(accounts).toHaveLength(3)
    for (const { story, detail } of accounts) {
      const asked = JSON.stringify(story)
      expect(asked).toContain('$RIG_TEST_PASSWORD')
      const opened = detail.wire.filter(({ command }: { command: string }) => /^open/.test(command))
      expect(opened.length).toBeGreaterThan(0)
      expect(JSON.stringify(opened)).toMatch(/\*\*\*|\$RIG_TEST_PASSWORD/)
      expect(JSON.stringify(detail.wire)).not.toContain('34 37 31 38')
    }
    for (const written of [text, readFileSync(page, 'utf8')]) expect(written).not.toMatch(/(?<!\d)4718(?!\d)/)
    expect(statSync(trace).mode & 0o077).toBe(0)
  })

  const FORMS = ['pretty', 'json', 'junit', 'html', 'github', 'gitlab'] as const
  const OPENED =
    'post /open-fiscal-receipt: { OperatorCode: 1, OperatorPassword: "4718", PointOfSaleNumber: 1, Invoice: false }'

  it.each([
    ['of a variable', '{ env: RIG_TEST_PASSWORD }', OPENED, '$RIG_TEST_PASSWORD'],
    ['of the settings', '"4718"', OPENED, '***'],
    ['of the settings, under no name', '"4718"', 'post /report-x: ', '***'],
  ])(
    'contains no password %s in any form, not on the terminal either, when it fails',
    async (_what, password, step, shown) => {
      const file = join(folder, 'failing.yaml')
      writeFileSync(
        file,
        `name: failing
purpose: opens with 4718
families: [A]
given: { config: { operators: { 1: { password: ${password} } } } }
steps:
  - ${step}
    expect: { Data: "4718" }
`,
      )
      const reports = FORMS.map((name) => [name, join(folder, `failing.${name}`)] as const)
      const trace = join(folder, 'failing.trace')
      const options = reports.flatMap(([name, path]) => ['--reporter', `${name}=${path}`])
      const { status, out, err } = await runToEnd(['run', file, '--wire', '--trace', trace, ...options], {
        env: { RIG_TEST_PASSWORD: '4718' },
      })
      expect(status).toBe(1)
      const outputs = [['terminal', out + err], ...[...reports, ['trace', trace]].map(([name, path = '']) => [name, readFileSync(path, 'utf8')])] // biome-ignore format: one list
      for (const [name, text] of outputs) {
        expect([name, text]).toEqual([name, expect.not.stringMatching(/(?<!\d)4718(?!\d)|34 ?37 ?31 ?38/)])
        expect([name, text]).toEqual([name, expect.stringContaining(shown)])
      }
    },
  )
})

describe('a recorded line', () => {
  /** The password differs from the factory passwords of every length. */
  const PASSWORD = '471853'

  function recorder(family?: string) {
    const pieces: { direction: Direction; bytes: Buffer; at: number }[] = []
    const families = family === undefined ? [...emulatedFamilies.values()] : [emulatedFamilies.get(family) as never]
    const inner = {
      bytes: (direction: Direction, bytes: Uint8Array, at: number) =>
        void pieces.push({ direction, bytes: Buffer.from(bytes), at }),
      event: () => undefined,
      close: () => undefined,
    }
    return { masked: new MaskedRecorder(inner, families), pieces }
  }

  function frames(family: string): readonly Uint8Array[] {
    const own = emulatedFamilies.get(family)
    if (!own) throw new Error(family)
    return own.profiles.flatMap((profile) => {
      const q = questionnaireFor(own, profile)
      return ['openFiscal', 'openNonFiscal', 'setTaxRates', 'cashInOut'].flatMap((name) => {
        const command = q.catalogue.byName[name]
        const [data] = q.examples[name] ?? []
        if (!command || data === undefined || !('password' in command.request.fields)) return []
        const values = command.request.read(data, q.page) as Record<string, unknown>
        const password = PASSWORD.slice(0, Math.max(4, String(values['password']).length))
        const changed = command.request.write({ ...values, password } as never, q.page)
        return [q.writeRequest({ number: q.numbers.first, code: command.code, data: changed })]
      })
    })
  }

  const read = (family: string, bytes: readonly Uint8Array[]) =>
    readFrames(
      bytes.map((one) => ({ at: 0, direction: 'toDevice' as const, bytes: one })),
      meaningOf(family, undefined),
    )

  it.each(
    FAMILIES.flatMap((family) => [[family, 'named', family] as const, [family, 'not named', undefined] as const]),
  )(
    'of family %s (%s) contains zeros instead of a password, in good frames, however they are cut',
    (family, _, named) => {
      const sent = frames(family)
      expect(sent.length).toBeGreaterThan(0)
      for (const size of [1, 3, 1000]) {
        const { masked, pieces } = recorder(named)
        let at = 0
        for (const frame of sent)
          for (let from = 0; from < frame.length; from += size)
            masked.bytes('toDevice', frame.subarray(from, from + size), at++)
        masked.close()
        const written = Buffer.concat(pieces.map(({ bytes }) => bytes))
        expect(written).toHaveLength(Buffer.concat(sent).length)
        expect(pieces.map((piece) => piece.at)).toEqual(pieces.map((_piece, index) => index))
        expect(written.includes(PASSWORD.slice(0, 4))).toBe(false)
        const [before, after] = [
          read(family, sent),
          read(
            family,
            pieces.map(({ bytes }) => bytes),
          ),
        ]
        expect(after.map(({ kind, command }) => [kind, command])).toEqual(
          before.map(({ kind, command }) => [kind, command]),
        )
        expect(after.filter(({ fields }) => /^0+$/.test(String(fields['password'])))).not.toEqual([])
      }
    },
  )

  it('contains no known password in a frame that is damaged later', () => {
    const { masked, pieces } = recorder('A')
    const [frame] = frames('A')
    if (!frame) throw new Error('no frame')
    masked.bytes('toDevice', frame, 0)
    masked.bytes('toDevice', frame.subarray(0, frame.length - 2), 1)
    masked.close()
    expect(Buffer.concat(pieces.map(({ bytes }) => bytes)).includes(PASSWORD.slice(0, 4))).toBe(false)
  })

  it('contains no password of an operator in the answer that reports it', () => {
    const family = emulatedFamilies.get('C')
    if (!family) throw new Error('C')
    const q = questionnaireFor(family, family.profiles[0] ?? '')
    const [data = ''] = q.examples['readOperator'] ?? []
    const command = q.catalogue.byName['readOperator']
    const request = { number: q.numbers.first, code: command?.code ?? 0, data }
    const emulator = createEmulator({ family: 'C' })
    const requestBytes = q.writeRequest(request)
    const plain =
      command?.response.write(
        { name: 'Ana', password: PASSWORD, ...operatorValues(command.response.fields) } as never,
        q.page,
      ) ?? ''
    const answer = q.writeAnswer({ data: plain, flags: [], lines: 0 }, request)
    const { masked, pieces } = recorder('C')
    masked.bytes('toDevice', requestBytes, 0)
    for (const byte of answer) masked.bytes('toHost', Uint8Array.of(byte), 1)
    masked.close()
    void emulator.close()
    const received = Buffer.concat(pieces.filter(({ direction }) => direction === 'toHost').map(({ bytes }) => bytes))
    expect(received).toHaveLength(answer.length)
    expect(received.includes(PASSWORD.slice(0, 4))).toBe(false)
    expect(received.includes('Ana')).toBe(true)
  })

  const operatorValues = (fields: object): Record<string, unknown> =>
    Object.fromEntries(
      Object.keys(fields)
        .filter((name) => name !== 'name' && name !== 'password')
        .map((name) => [name, 0]),
    )
})

describe('the command serve --record', () => {
  const BODY = { OperatorCode: 1, OperatorPassword: '4718', PointOfSaleNumber: 1, Invoice: false }

  async function recorded(file: string, ...options: readonly string[]) {
    const config = join(folder, 'service.yaml')
    writeFileSync(
      config,
      'family: A\noperators: { 1: { password: "4718" } }\ndefaults: { operator: 1, password: "4718" }\n',
    )
    const running = start([
      'serve',
      '--config',
      config,
      '--data',
      'memory',
      '--record',
      file,
      '--json',
      '--no-https',
      ...FREE_PORTS,
      ...options,
    ])
    try {
      const { http } = (await running.ready()) as { http: string }
      const call = async (path: string, body: unknown = {}) => {
        const headers = { 'Content-Type': 'application/json' }
        const answer = await fetch(`${http}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
        return answer.json()
      }
      expect(await call('/open-fiscal-receipt', BODY)).toMatchObject({ StatusCode: 200 })
      expect(await call('/cancel-fiscal-receipt')).toMatchObject({ StatusCode: 200 })
      expect(await call('/open-fiscal-receipt', { ...BODY, OperatorPassword: '5829' })).not.toMatchObject({
        StatusCode: 200,
      })
      await call('/Receipt', ['48,1,______,_,__;1;4718;1;0', '56,1,______,_,__;'])
    } finally {
      running.child.kill('SIGTERM')
      await running.ended
    }
    return readFileSync(file, 'utf8')
  }

  it("writes the factory password instead of the operator's, and the replay behaves in the same way", async () => {
    const file = join(folder, 'recorded.yaml')
    const text = await recorded(file)
    expect(text).not.toMatch(/4718|5829/)
    expect(text).toContain('OperatorPassword: "0000"')
    expect(text).toContain('***')
    expect(statSync(file).mode & 0o077).toBe(0)
    const [result] = (await play([file], { families: ['A'] })).results
    const problems = (result?.failure?.problems ?? []).map(({ what }) => what)
    // The file contains another password instead of the refused one, which may be refused for another reason.
    expect(problems.filter((what) => !/password/i.test(what))).toEqual([])
  })

  it('writes the password with --with-passwords', async () => {
    const text = await recorded(join(folder, 'with.yaml'), '--with-passwords')
    expect(text).toContain('OperatorPassword: "4718"')
    const { status, err } = await runToEnd(['serve', '--with-passwords'])
    expect([status, err]).toEqual([2, expect.stringContaining('--with-passwords requires --record')])
  })

  it('writes no password of the device into its snapshot', async () => {
    const emulator = createEmulator({ family: 'A', settings: { operators: { 1: { password: '4718' } } } })
    emulator.device.reportZ()
    const file = join(folder, 'used.yaml')
    const [files] = recordTo(file, settingsOf({}, { family: 'A' }), emulator).files()
    expect(files?.snapshot).toBeDefined()
    expect(JSON.stringify(emulator.device.snapshot())).toContain('4718')
    expect(readFileSync(files?.snapshot ?? '', 'utf8')).not.toContain('4718')
    expect((await play([file], { families: ['A'] })).failed).toBe(0)
    await emulator.close()
  })
})
