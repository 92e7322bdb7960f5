import { useEffect, useRef, useState } from 'preact/hooks'
import { rigCommand, shellWord } from '../../../../../drivers/host/shell-command.ts'
import { BOOKS_FORMAT } from '../../../../fiscal/tables.ts'
import type { CallInput, LinesView } from '../../../contract.ts'
import { call, fileAt } from '../api.ts'
import { asSentence, dateAndTime } from '../labels-and-formats.ts'
import { Articles } from '../parts/articles.tsx'
import { Card, CopyLine, Facts } from '../parts/basic-components.tsx'
import { Clock as ClockNow } from '../parts/clock.tsx'
import { useDocs } from '../parts/docs-link.tsx'
import { Field, Form } from '../parts/form.tsx'
import { readSession, SaveSession, SessionEnds } from '../parts/recorded-session.tsx'
import { clearMessage, now, say, startAction, useStore } from '../store.ts'

export function SetupView() {
  return (
    <div class="setup">
      <div class="column">
        <Service />
        <Attach />
        <Articles />
      </div>
      <div class="column">
        <Clock />
        <About />
      </div>
    </div>
  )
}

const SALE = '{"ReceiptItems": [{"Type": 1, "PluSale": {"PluNumber": 1}}]}'

function Service() {
  const service = useStore((state) => state.service)
  const tryIt = useDocs('try-it.html')
  const reference = useDocs('rest.html')
  if (!service || service.address === null) return null
  const key = service.needsKey ? ' -H "Authorization: Bearer $FISCAL_RIG_API_KEY"' : ''
  const curl = `curl -s ${service.address}/print-fiscal-receipt -H 'Content-Type: application/json'${key} -d '${SALE}'`
  return (
    <Card title="Send requests to the service" class="attach">
      <p>JSON over HTTP, at this address:</p>
      <CopyLine text={service.address} label="address of the service" />
      <p class="after-facts">This prints a receipt:</p>
      <CopyLine text={curl} label="curl that prints a receipt" />
      <p class="after-facts links">
        {tryIt === undefined ? null : <a href={tryIt}>Try it</a>}
        {reference === undefined ? null : <a href={reference}>All requests</a>}
        {service.hasRequests ? <a href="#/requests">What was sent so far</a> : null}
      </p>
      {service.hasDocs ? null : (
        <p class="soft">
          The documentation is not built in this checkout. Build it with <code>npm run docs</code>.
        </p>
      )}
    </Card>
  )
}

function Attach() {
  const device = useStore((state) => state.device)
  const connection = useStore((state) => state.connection)
  const [lines, setLines] = useState<LinesView>({ ptys: [], tcps: [], baud: null })
  useEffect(() => {
    if (connection === 'live') call('GET /emulator/lines').then(setLines, () => undefined)
  }, [connection])
  const kind = ['--family', device?.family ?? 'A', '--profile', device?.profile ?? '']
  const start = rigCommand(['emulate', ...kind, '--link', './printer', '--tcp', '4999', '--data', './printer-data'])
  const { baud } = lines
  // Only one process can use a folder, and this device may use the default folder of the service.
  const serve = (at: string, ...extraOptions: readonly string[]) =>
    rigCommand(['serve', ...kind, '--device', at, '--data', './service-data', ...extraOptions])
  const isOpen = lines.ptys.length + lines.tcps.length > 0
  return (
    <Card title="Attach a program" class="attach">
      {isOpen ? (
        <>
          {lines.ptys.map((link) => (
            <div key={link}>
              <p>Serial port, for any program that opens one{baud === null ? '' : ` at ${baud} baud, 8N1`}:</p>
              <CopyLine text={link} label="serial port" />
              <CopyLine text={`picocom --baud ${baud ?? USUAL_BAUD} ${shellWord(link)}`} label="picocom" />
              <CopyLine
                text={serve(link, ...(baud === null ? [] : ['--baud', String(baud)]))}
                label="service on the serial port"
              />
            </div>
          ))}
          {lines.tcps.map((port) => (
            <div key={port}>
              <p>Network, one client at a time:</p>
              <CopyLine text={`tcp://127.0.0.1:${port}`} label="address" />
              <CopyLine
                text={`socat pty,link=./printer,raw,echo=0 tcp:127.0.0.1:${port}`}
                label="a serial port that leads to the network port"
              />
              <CopyLine text={serve(`tcp://127.0.0.1:${port}`)} label="service on the network port" />
            </div>
          ))}
        </>
      ) : (
        <>
          <p>
            This device is built into the service and has no line for other programs. This command starts a device of
            the same kind with a serial port and a network port:
          </p>
          <CopyLine text={start} label="command that starts a device with lines" />
        </>
      )}
    </Card>
  )
}

/** Speed for the example if the line has none; any speed works then. */
const USUAL_BAUD = 115_200

const STEPS = [
  { label: '1 hour on', advance: 'PT1H' },
  { label: '1 day on', advance: 'P1D' },
  { label: '1 week on', advance: 'P1W' },
] as const

function Clock() {
  const [text, setText] = useState('')
  const move = async (body: CallInput<'POST /emulator/clock'>['body']) => {
    const { clock: at } = await call('POST /emulator/clock', { body })
    return `The clock shows ${dateAndTime(at)}.`
  }
  return (
    <Card title="Clock">
      <p>
        <ClockNow class="big-clock" />
      </p>
      <div class="buttons">
        {STEPS.map(({ label, advance }) => (
          <button key={advance} type="button" onClick={() => startAction(() => move({ advance }))}>
            {label}
          </button>
        ))}
      </div>
      <Form onSubmit={() => move({ set: text })}>
        <Field
          label="Set to"
          name="set"
          width="grow"
          type="datetime-local"
          step={1}
          required
          value={text}
          onText={setText}
        />
        <button type="submit">Set</button>
      </Form>
    </Card>
  )
}

/** A confirmation of an action that cannot be undone. */
interface Question {
  readonly title: string
  readonly text: string
  readonly verb: string
  readonly act: () => Promise<string | undefined>
}

async function reset(keep?: 'fiscalMemory'): Promise<string> {
  await call('POST /emulator/reset', { body: keep ? { keep } : {} })
  return keep ? 'The device was reset; its fiscal memory was retained.' : 'This is a new device now.'
}

const KEEP: Question = {
  title: 'Reset and keep the fiscal memory?',
  text: 'Settings, articles and the day will be reset to the factory state, and the list of documents will be emptied. Z reports, journal and running numbers remain.',
  verb: 'Reset',
  act: () => reset('fiscalMemory'),
}

const RENEW: Question = {
  title: 'Make this a new device?',
  text: 'Every document, Z report and setting of this device will be deleted permanently.',
  verb: 'Reset',
  act: () => reset(),
}

type Snapshot = CallInput<'PUT /emulator/snapshot'>['body']

const restoreFrom = (name: string, body: Snapshot): Question => ({
  title: 'Replace this device?',
  text: `It will become the device of ${name}. Every document, Z report and setting that this device has now will be deleted permanently. To keep them, download the state first.`,
  verb: 'Restore',
  async act() {
    try {
      await call('PUT /emulator/snapshot', { body })
    } catch (problem) {
      throw new Error(`${name} cannot be restored. ${asSentence(String((problem as Error).message))}`)
    }
    return `The state of ${name} is restored.`
  },
})

/**
 * Returns why the content of a file is not a state of this device, as far as that is visible without its tables, which
 * the device checks.
 */
function whyNoState(body: unknown): string | undefined {
  const { format, version, family, profile, tables } = (body ?? {}) as Readonly<Record<string, unknown>>
  if (format !== 'fiscal-rig device' || typeof tables !== 'object')
    return 'It is not the state of a device: choose a file that “Download the whole state” has saved.'
  if (version !== BOOKS_FORMAT)
    return `It is the state of a device of another version of fiscal-rig: version ${version}, and this device reads version ${BOOKS_FORMAT}.`
  const { device } = now()
  const isSameKind = !device || (family === device.family && profile === device.profile)
  return isSameKind
    ? undefined
    : `It is the state of a device of family ${family}, profile ${profile}; this device is of family ${device.family}, profile ${device.profile}.`
}

function About() {
  const device = useStore((state) => state.device)
  const service = useStore((state) => state.service)
  const dialog = useRef<HTMLDialogElement>(null)
  const [question, setQuestion] = useState<Question>(RENEW)
  const [wrong, setWrong] = useState<string>()
  const ask = (next: Question) => {
    setWrong(undefined)
    setQuestion(next)
    readSession().catch(() => undefined)
    dialog.current?.showModal()
  }
  const confirm = () => {
    dialog.current?.close()
    clearMessage()
    question.act().then(
      (text) => text !== undefined && say(text),
      (problem: unknown) => setWrong(asSentence(problem instanceof Error ? problem.message : String(problem))),
    )
  }
  const load = async (input: HTMLInputElement) => {
    const [file] = input.files ?? []
    if (!file) return
    setWrong(undefined)
    clearMessage()
    const body = await file
      .text()
      .then((text): Snapshot => JSON.parse(text))
      .catch(() => undefined)
    const why = body === undefined ? 'It is not JSON.' : whyNoState(body)
    if (body === undefined || why !== undefined) setWrong(`${file.name} cannot be restored. ${why}`)
    else ask(restoreFrom(file.name, body))
    // Otherwise choosing the same file again would cause no event.
    input.value = ''
  }
  if (!device) return null
  return (
    <Card title="This device" class="about">
      <Facts
        rows={[
          ['Model', device.model],
          ['Family and profile', `${device.family}, ${device.profile}`],
          ['Serial number', device.serialNumber],
          ['Fiscal memory', device.fiscalMemoryNumber],
        ]}
      />
      <p class="after-facts">
        <a href={fileAt('/snapshot')} download="device.json">
          Download the whole state
        </a>
      </p>
      <label class="field load">
        <span>Restore a downloaded state (replaces this device)</span>
        <input type="file" accept="application/json,.json" onChange={(event) => load(event.currentTarget)} />
      </label>
      {wrong === undefined ? null : (
        <p class="wrong" role="alert">
          {wrong}
        </p>
      )}
      <div class="buttons">
        <button type="button" onClick={() => ask(KEEP)}>
          Reset, keep fiscal memory
        </button>
        <button type="button" class="danger" onClick={() => ask(RENEW)}>
          Reset to a new device
        </button>
      </div>
      <dialog ref={dialog} aria-labelledby="reset-title">
        <h2 id="reset-title">{question.title}</h2>
        <p>{question.text}</p>
        <SessionEnds />
        {service?.hasRequests ? (
          <p>
            The service keeps its answers: a request with an Idempotency-Key that was used before gets its first answer
            and prints nothing on this device.
          </p>
        ) : null}
        <div class="buttons">
          {/* The first button gets the focus when the dialog opens. */}
          <button type="button" onClick={() => dialog.current?.close()}>
            Leave it as it is
          </button>
          <SaveSession />
          <button type="button" class="danger" onClick={confirm}>
            {question.verb}
          </button>
        </div>
      </dialog>
    </Card>
  )
}
