import { question, showing } from '../../../wire/command.ts'
import { int, optional } from '../../../wire/field.ts'
import { command } from '../facts.ts'
import { words, yesNo } from '../fields.ts'
import { tabs } from '../layouts.ts'
import { time } from '../time.ts'

export const displayCommands = [
  /** Display, paper, sound, drawer: sheet 6.1. */
  command({ name: 'displayClear', code: 33, source: '6.1', ...showing }),
  command({ name: 'displayLower', code: 35, source: '6.1', ...showing, request: tabs([words('text', { max: 20 })]) }),
  command({ name: 'displayUpper', code: 47, source: '6.1', ...showing, request: tabs([words('text', { max: 20 })]) }),
  command({ name: 'showClock', code: 63, source: '6.1', ...showing, response: tabs([time('at')]) }),
  command({
    name: 'feed',
    code: 44,
    source: '6.1',
    ...showing,
    prints: true,
    request: tabs([optional(int('lines', { min: 1, max: 99 }))], 0),
  }),
  command({ name: 'cut', code: 46, source: '6.1', ...showing, prints: true }),
  command({
    name: 'pcMode',
    code: 45,
    source: '6.1',
    ...question,
    changes: 'memory',
    request: tabs([optional(yesNo('printing'))], 0),
  }),
  command({
    name: 'beep',
    code: 80,
    source: '6.1',
    ...showing,
    request: tabs([int('hertz', { min: 0, max: 65_535 }), int('durationMs', { min: 0, max: 65_535 })]),
  }),
  command({
    name: 'drawer',
    code: 106,
    source: '6.1',
    ...showing,
    request: tabs([optional(int('pulseMs', { min: 0, max: 65_535 }))], 0),
  }),
] as const
