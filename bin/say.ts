/** What the programs write for people and scripts: nothing in it steers a terminal. */
import { escapeControlInLines } from '../drivers/model/escape-control.ts'
import { io } from './io.ts'

/** On standard output, as it is, and with line ends of its own. */
export const say = (text: string): void => void io().out.write(escapeControlInLines(text))

/** One line, or the lines of one message, on standard error. */
export const tell = (line: string): void => void io().err.write(`${escapeControlInLines(line)}\n`)
