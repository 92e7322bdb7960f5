import { shellWord } from '../../../drivers/host/shell-command.ts'
import type { Retelling, ServiceCall } from './service-calls.ts'

/** Calls of the service as lines for a shell, one after the other for as long as each succeeds. */

/** Where `fiscal-rig serve` listens unless it is told otherwise. */
const SERVICE = 'http://127.0.0.1:65400/api'

/** `service`: the address of the service that is asked, `http://127.0.0.1:65400/api`. */
export const asCurl = ({ calls, remarks }: Retelling, service: string = SERVICE): string =>
  [...remarks.map((remark) => `# ${remark}`), calls.map((one) => lineOf(one, service)).join(' &&\n'), ''].join('\n')

function lineOf({ path, body }: ServiceCall, service: string): string {
  const address = `curl --silent --show-error --fail-with-body -X POST ${shellWord(`${service}${path}`)}`
  return body === undefined
    ? address
    : `${address} \\\n  -H 'Content-Type: application/json' \\\n  -d ${shellWord(JSON.stringify(body))}`
}
