import { question, SHOWS_ONLY } from '../../../wire/command.ts'
import { int, optional } from '../../../wire/field.ts'
import { command } from '../command-facts.ts'
import { words, yesNo } from '../fields.ts'
import { tabs } from '../layouts.ts'
import { time } from '../time.ts'

export const displayCommands = [
  command('displayClear', 33, '6.1', SHOWS_ONLY),
  command('displayLower', 35, '6.1', SHOWS_ONLY, { request: tabs([words('text', { max: 20 })]) }),
  command('displayUpper', 47, '6.1', SHOWS_ONLY, { request: tabs([words('text', { max: 20 })]) }),
  command('showClock', 63, '6.1', SHOWS_ONLY, { response: tabs([time('at')]) }),
  command('feed', 44, '6.1', SHOWS_ONLY, {
    prints: true,
    request: tabs([optional(int('lines', { min: 1, max: 99 }))], 0),
  }),
  command('cut', 46, '6.1', SHOWS_ONLY, { prints: true }),
  command('pcMode', 45, '6.1', question, {
    changes: 'memory',
    request: tabs([optional(yesNo('printing'))], 0),
  }),
  command('beep', 80, '6.1', SHOWS_ONLY, {
    request: tabs([int('hertz', { min: 0, max: 65_535 }), int('durationMs', { min: 0, max: 65_535 })]),
  }),
  command('drawer', 106, '6.1', SHOWS_ONLY, {
    request: tabs([optional(int('pulseMs', { min: 0, max: 65_535 }))], 0),
  }),
] as const
