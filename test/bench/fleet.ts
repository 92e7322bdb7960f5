/** Many printers in one process: start-up time and memory, simultaneous commands, and a day of a hundred printers. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openPrinter } from '../../drivers/index.ts'
import { formatMoney } from '../../drivers/model/money.ts'
import { auditMemory } from '../../emulator/fiscal/audit.ts'
import { readMemoryFile } from '../../emulator/fiscal/audit-file.ts'
import type { FleetRow } from '../../emulator/panel/contract.ts'
import { profileOf } from '../../emulator/profiles.ts'
import { launchBrowser, openPage } from '../page/browser.ts'
import { commandsOf, type Family } from './core.ts'
import { type Caller, callerAt, type Load, loadOf, warmLoadOf } from './many-connections.ts'
import { type Figure, residentMiB } from './measure.ts'
import { asking, folder, type Running, start, stop } from './processes.ts'

const FAMILIES: readonly Family[] = ['A', 'B', 'C']
const LINKS = 100
const DAYS = 100
/** Prices in hundredths of the first article, and of the tea that families A and C sell without an article. */
const FIRST_ARTICLE = 120
const TEA = 150
const SOLD: Readonly<Record<Family, number>> = { A: TEA, B: FIRST_ARTICLE, C: TEA }

interface Printer {
  readonly name: string
  readonly family: Family
  readonly tcp: number
  readonly link: string
}

const printersOf = ({ ready }: Running) => ready['printers'] as readonly Printer[]

/** `members` is added to each entry of the fleet file. */
function startFleet(place: string, count: number, members: string): Promise<Running> {
  const file = join(place, 'fleet.yaml')
  const entries = FAMILIES.map((family, index) => {
    const own = Math.floor(count / 3) + (index < count % 3 ? 1 : 0)
    return `  - {name: "${family}{n}", count: ${own}, family: ${family}, ${members.replaceAll('FAMILY', family)}}`
  })
  writeFileSync(file, `printers:\n${entries.join('\n')}\n`)
  return start(['emulate', '--fleet', file, '--panel-port', '0'])
}

export async function fleetFigures(forMs: number, tills: number, day: number): Promise<Figure[]> {
  const place = folder()
  try {
    return [...(await together(place, tills, forMs)), ...(await onLinks(place)), ...(await dayOfMany(place, day))]
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

async function together(place: string, tills: number, forMs: number): Promise<Figure[]> {
  const bare = await bareEcho(tills, forMs)
  const fleet = await startFleet(place, tills, 'tcp: 0')
  try {
    const atRest = residentMiB(fleet.child.pid as number)
    const printers = printersOf(fleet)
    const callers = await Promise.all(printers.map(({ tcp, family }) => callerAt(tcp, commandsOf[family])))
    const load = await warmLoadOf(asksStatus(printers, callers), forMs)
    await Promise.all(callers.map((caller, index) => sellWith(caller, printers[index]?.family ?? 'A')))
    const rows = await rowsOf(fleet)
    const agree = rows.filter(({ family, total }) => total === formatMoney(SOLD[family as Family])).length
    const page = await pageFigures(`${fleet.ready['panel']}`, callers, printers, forMs)
    const afterLoad = residentMiB(fleet.child.pid as number)
    for (const caller of callers) caller.close()
    const name = `${tills} printers`
    return [
      { name: `${name}: ready`, value: fleet.readyMs, unit: 'ms', target: { atMost: 5000 } },
      { name: `${name}: resident memory at rest`, value: atRest, unit: 'MiB', target: { atMost: 600 } },
      { name: `${name}: resident memory after the load`, value: afterLoad, unit: 'MiB', target: { atMost: 600 } },
      { name: `${name}: bare echo with as many connections`, value: bare.perSecond, unit: 'commands/s' },
      {
        name: `${name}: status of all`,
        value: load.perSecond,
        unit: 'commands/s',
        ...(bare.perSecond >= 40_000 && { target: { atLeast: 20_000 } }),
      },
      {
        name: `${name}: status of all / echo`,
        value: load.perSecond / bare.perSecond,
        unit: '',
        target: { atLeast: 0.5 },
      },
      { name: `${name}: slowest of a hundred answers`, value: load.slowest, unit: 'ms' },
      { name: `${name}: the same / echo`, value: load.slowest / bare.slowest, unit: '', target: { atMost: 10 } },
      {
        name: `${name}: receipts of as many tills at once that agree with the books`,
        value: agree,
        unit: '',
        target: { atLeast: tills },
      },
      ...page,
    ]
  } finally {
    await stop(fleet)
  }
}

async function pageFigures(
  panel: string,
  callers: readonly Caller[],
  printers: readonly Printer[],
  forMs: number,
): Promise<Figure[]> {
  const browser = await launchBrowser()
  try {
    const { page } = await openPage(browser, { width: 1280, height: 800 })
    await page.goto(`${panel}/`)
    await page.locator('.tile').first().waitFor()
    const pictures = page.evaluate<number>(PICTURES.replace('FOR_MS', String(forMs)))
    await loadOf(
      callers.map((caller, index) => () => sellWith(caller, printers[index]?.family ?? 'A')),
      forMs,
    )
    const shown = await pictures
    const name = `the floor of ${printers.length} printers`
    return [
      { name: `${name}: bundles of changes`, value: (shown * 1000) / forMs, unit: '/s', target: { atMost: 10 } },
      { name: `${name}: tiles drawn`, value: await page.locator('.tile').count(), unit: '', target: { atMost: 40 } },
      {
        name: `${name}: heap of the page`,
        value: await page.evaluate<number>(HEAP_MIB),
        unit: 'MiB',
        target: { atMost: 100 },
      },
    ]
  } finally {
    await browser.close()
  }
}

const HEAP_MIB = 'performance.memory.usedJSHeapSize / 1048576'
const PICTURES = `new Promise((done) => { let count = 0; const events = new EventSource('/emulator/fleet/events')
  events.addEventListener('rows', () => count++); setTimeout(() => { events.close(); done(count) }, FOR_MS) })`

const asksStatus = (printers: readonly { readonly family: Family }[], callers: readonly Caller[]) =>
  callers.map((caller, index) => () => caller.ask(commandsOf[printers[index]?.family ?? 'A'].status))

const ECHO = `require('node:net').createServer({ noDelay: true }, (socket) => socket.pipe(socket).on('error', () => {}))
  .listen(0, '127.0.0.1', function () { console.log(this.address().port) })`

async function bareEcho(connections: number, forMs: number): Promise<Load> {
  const child = spawn(process.execPath, ['-e', ECHO], { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const [port] = await once(child.stdout, 'data')
    const printers = Array.from({ length: connections }, (_, index) => ({ family: FAMILIES[index % 3] as Family }))
    const callers = await Promise.all(printers.map(({ family }) => callerAt(Number(String(port)), commandsOf[family])))
    const load = await warmLoadOf(asksStatus(printers, callers), forMs)
    for (const caller of callers) caller.close()
    return load
  } finally {
    child.kill()
    await once(child, 'exit')
  }
}

async function sellWith(caller: Caller, family: Family): Promise<void> {
  const { open, sale, pay, close } = commandsOf[family]
  for (const one of [open, sale, pay, close]) await caller.ask(one)
}

const rowsOf = async ({ ready }: Running): Promise<readonly FleetRow[]> =>
  (await fetch(`${ready['panel']}/emulator/fleet`)).json() as Promise<readonly FleetRow[]>

async function onLinks(place: string): Promise<Figure[]> {
  const fleet = await startFleet(place, LINKS, 'link: "./FAMILY-{n}"')
  try {
    let answered = 0
    for (const { link, family } of printersOf(fleet)) {
      await asking(link, family, async (ask) => {
        await ask()
        answered += 1
      })
    }
    return [
      { name: `${LINKS} printers on ptys: ready`, value: fleet.readyMs, unit: 'ms' },
      { name: `${LINKS} printers on ptys: answer`, value: answered, unit: '', target: { atLeast: LINKS } },
    ]
  } finally {
    await stop(fleet)
  }
}

/** Number of tills that print at the same time: each receipt waits for the disk, and drivers have short timeouts. */
const AT_ONCE = 8

const FAULTS = [
  { at: 'link.toDevice', probability: 0.002, do: { flip: 41 } },
  { at: 'link.toHost', probability: 0.01, do: { delayMs: 30 } },
  { at: 'link.toHost', on: 'sale', skip: 40, times: 2, do: 'drop' },
  { at: 'link.toHost', on: 'saleByPlu', skip: 40, times: 2, do: 'drop' },
  { at: 'link.toHost', on: 'payment', skip: 100, times: 1, do: 'drop' },
]

async function dayOfMany(place: string, receipts: number): Promise<Figure[]> {
  const data = join(place, 'day')
  const fleet = await startFleet(place, DAYS, 'tcp: 0, data: "./day/FAMILY-{n}"')
  const printers = printersOf(fleet)
  const began = performance.now()
  let printed = 0
  let agree = 0
  try {
    for (const rule of FAULTS) {
      const names = ['on' in rule && rule.on === 'sale' ? 'C*' : '*']
      await fetch(`${fleet.ready['panel']}/emulator/fleet/faults`, {
        method: 'POST',
        body: JSON.stringify({ names, ...rule }),
      })
    }
    const left = [...printers]
    const work = async () => {
      for (let one = left.shift(); one; one = left.shift()) {
        const { name, family, tcp } = one
        const printer = openPrinter({ family, device: `tcp://127.0.0.1:${tcp}` })
        try {
          for (let count = 0; count < receipts; count++) {
            const password = family === 'B' ? '1' : '0000'
            await printer.openFiscal({ operator: { code: 1, password }, pointOfSale: 1, invoice: false })
            await printer.sellArticle({ plu: 1, quantity: 1000, void: false })
            await printer.pay({ mode: 0 })
            await printer.closeFiscal()
            printed += 1
          }
          await printer.reportZ()
          const at = `${fleet.ready['panel']}/emulator/fleet/${name}/z-reports/1`
          const z = (await (await fetch(at)).json()) as { receiptsCount: number; total: string }
          if (z.receiptsCount === receipts && z.total === formatMoney(receipts * FIRST_ARTICLE)) agree += 1
        } catch (problem) {
          // The till's day remains incomplete, and the figures show that.
          process.stderr.write(`${name}: ${problem}\n`)
        } finally {
          await printer.disconnect()
        }
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
  } finally {
    await stop(fleet)
  }
  const seconds = (performance.now() - began) / 1000
  const sound = printers.filter(({ name, family }) => {
    const profile = profileOf({ family })
    const storePath = join(
      data,
      `${family}-${name.slice(1)}`,
      `device-${family.toLowerCase()}-${profile.profile}.sqlite`,
    )
    return auditMemory(readMemoryFile(storePath), profile).length === 0
  }).length
  const day = `a day of ${DAYS} printers with faults`
  return [
    { name: `${day}: receipts`, value: printed, unit: '', target: { atLeast: DAYS * receipts } },
    { name: `${day}: receipts on disk`, value: printed / seconds, unit: 'receipts/s' },
    { name: `${day}: Z reports that agree with the tills`, value: agree, unit: '', target: { atLeast: DAYS } },
    { name: `${day}: memories that memory verify finds sound`, value: sound, unit: '', target: { atLeast: DAYS } },
  ]
}
