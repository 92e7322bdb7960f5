/** The page for a printer that the fleet does not contain, or that does not run. */
import { useEffect } from 'preact/hooks'
import { call, printerName } from '../api.ts'

/**
 * Resolves to the reason why the printer of this page cannot be shown. Resolves to `undefined` if it can be shown, or
 * if the fleet cannot be reached.
 */
export async function whyNoPrinter(): Promise<string | undefined> {
  if (printerName === undefined) return undefined
  const rows = await call('GET /emulator/fleet').catch(() => undefined)
  if (!rows) return undefined
  const row = rows.find(({ name }) => name === printerName)
  if (!row) return `There is no printer ${printerName.slice(0, 60)} in this fleet.`
  if (row.state !== 'failed') return undefined
  return `Printer ${printerName} does not run${row.why === undefined ? '.' : `: ${row.why}`}`
}

const READ_EVERY_MS = 2000

export function NoPrinter({ why }: { readonly why: string }) {
  useEffect(() => {
    document.title = 'No such printer'
    // A printer that starts later has its page at this address.
    const timer = setInterval(async () => {
      if (await isRunning()) location.reload()
    }, READ_EVERY_MS)
    return () => clearInterval(timer)
  }, [])
  return (
    <main id="main" class="no-printer" tabIndex={-1}>
      <section class="card">
        <h1>No such printer</h1>
        <p class="after-facts">{why}</p>
        <p class="after-facts">
          <a href="/floor">All printers</a>
        </p>
      </section>
    </main>
  )
}

const isRunning = async (): Promise<boolean> => {
  const rows = await call('GET /emulator/fleet').catch(() => [])
  return rows.some(({ name, state }) => name === printerName && state !== 'failed')
}
