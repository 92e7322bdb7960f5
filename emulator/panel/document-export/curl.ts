/** Calls of the service as shell commands, which are executed in order until one fails. */
import { shellWord } from '../../../drivers/host/shell-command.ts'
import type { ServiceRequest } from '../request-log.ts'
import type { ServiceCall } from './document-steps.ts'

const SERVICE = 'http://127.0.0.1:65400/api'

export const asCurl = (calls: readonly ServiceCall[], remarks: readonly string[], service: string = SERVICE): string =>
  [...remarks.map((remark) => `# ${remark}`), calls.map((one) => lineOf(one, service)).join(' &&\n'), ''].join('\n')

export function requestAsCurl(
  request: Pick<ServiceRequest, 'method' | 'path' | 'type' | 'key' | 'body'>,
  service: string,
  needsKey: boolean,
): string {
  const { method, path, type, key, body } = request
  const lines = [
    `curl --silent --show-error -X ${shellWord(method)} ${shellWord(new URL(path, service).href)}`,
    // The shell inserts the API key, so that the command does not contain it.
    ...(needsKey ? [`-H "Authorization: Bearer $FISCAL_RIG_API_KEY"`] : []),
    ...(key === undefined ? [] : [`-H ${shellWord(`Idempotency-Key: ${key}`)}`]),
    ...(body === undefined ? [] : [`-H ${shellWord(`Content-Type: ${type ?? ''}`)}`, `--data-raw ${shellWord(body)}`]),
  ]
  return `${lines.join(' \\\n  ')}\n`
}

function lineOf({ path, body }: ServiceCall, service: string): string {
  const address = `curl --silent --show-error --fail-with-body -X POST ${shellWord(`${service}${path}`)}`
  return body === undefined
    ? address
    : `${address} \\\n  -H 'Content-Type: application/json' \\\n  -d ${shellWord(JSON.stringify(body))}`
}
