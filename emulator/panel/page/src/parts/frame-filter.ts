import type { FrameView } from '../../../contract.ts'
import { asSeparateWords, formatValue } from '../labels-and-formats.ts'
import { isSingleByte } from './exchanges.ts'

/**
 * Returns the commands that the responses answer, by the id of the response. A response of family C does not name its
 * command. `frames` must be sorted, oldest first.
 */
export function answeredCommands(frames: readonly FrameView[]): ReadonlyMap<number, string> {
  const commands = new Map<number, string>()
  let command: string | undefined
  for (const frame of frames) {
    if (isSingleByte(frame)) continue
    if (frame.direction === 'toDevice') command = frame.command
    else if (command !== undefined) commands.set(frame.id, command)
  }
  return commands
}

/** Returns whether the frame contains each of the words, which are in lower case. */
export function matchesFrame(
  frame: FrameView,
  words: readonly string[],
  {
    answered,
    triggers = [],
  }: { readonly answered?: string | undefined; readonly triggers?: readonly string[] | undefined },
): boolean {
  if (words.length === 0) return true
  const commands = [frame.command, ...(answered === undefined ? [] : [answered])]
  const fields = Object.entries(frame.fields).map(
    ([name, value]) => `${name} ${asSeparateWords(name)} ${formatValue(value)}`,
  )
  const all = [...commands, ...commands.map(asSeparateWords), ...fields, ...frame.status, ...triggers, frame.hex]
    .join(' ')
    .toLowerCase()
  return words.every((word) => all.includes(word))
}
