import type { CallName } from '../contract.ts'
import { flow } from './yaml.ts'

/**
 * A call of the control interface, carried out, as a step of a scenario. Undefined: nothing is different afterwards. What
 * no step can do again stands as a remark.
 */
export function handStep(name: CallName, body: unknown): string | undefined {
  const members = (body ?? {}) as Readonly<Record<string, unknown>>
  switch (name) {
    case 'POST /emulator/paper':
      return `- paper: ${members['state']}`
    case 'POST /emulator/cover':
      return `- cover: ${members['open'] === true ? 'open' : 'closed'}`
    case 'POST /emulator/power':
      return `- power: ${members['on'] === true ? '"on"' : '"off"'}`
    case 'POST /emulator/cable':
      return `- cable: ${members['connected'] === true ? 'in' : 'out'}`
    case 'POST /emulator/clock':
      return `- clock: ${flow('advance' in members ? { advance: `${Number(members['advance']) / 1000}s` } : members)}`
    case 'POST /emulator/articles':
      return `- articles: ${flow(body)}`
    case 'POST /emulator/reset':
      return `- reset: ${flow(members)}`
    case 'POST /emulator/faults':
      return `- fault: ${flow(body)}`
    case 'DELETE /emulator/faults':
      return '- clearFaults: true'
    default:
      return name.startsWith('GET ') ? undefined : `# left out, no step does it: ${name}`
  }
}
