import type { Answers, DeviceFacts, DiscoveredDevice, Questionnaire } from '../../drivers/wire/questionnaire.ts'
import { valuesOf } from '../../emulator/passport/answer-change.ts'
import type { Conversation } from './conversation.ts'

/**
 * Returns the facts that the answers contain. Uses only answers in the state of the first probe: without a receipt, or
 * in the receipt of another program.
 */
export function discoverFrom(
  q: Questionnaire,
  { exchanges, widest }: Pick<Conversation, 'exchanges' | 'widest'>,
): DiscoveredDevice {
  const met = exchanges.find(({ probe }) => probe)?.state
  const answers = new Map<string, Readonly<Record<string, unknown>>>()
  for (const { requests, responses, state } of exchanges) {
    for (const [at, frame] of requests.entries()) {
      const request = q.readRequest(frame)
      const command = request && q.catalogue.find(request.code, request.data)
      const response = request && q.readAnswer(responses[at]?.frames ?? [], request)
      if (!command || !request || !response || response.refusal !== undefined || state !== met) continue
      const key = `${command.name} ${request.data}`
      const values = valuesOf(q, request, response)
      if (values && !answers.has(key)) answers.set(key, values)
    }
  }
  const lookup: Answers = (command, data) => answers.get(`${command} ${data}`)
  const discovered = q.learn(lookup)
  const { nonFiscal, selling } = widest
  const textWidth = {
    ...(nonFiscal !== undefined && { nonFiscalText: nonFiscal }),
    ...(selling !== undefined && { fiscalText: selling }),
  }
  const facts: DeviceFacts = Object.keys(textWidth).length > 0 ? { ...discovered.facts, textWidth } : discovered.facts
  return { ...discovered, facts }
}
