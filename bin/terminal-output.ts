/** Output of the programs for people and scripts, without characters that steer a terminal. */
import { escapeControlInLines } from '../drivers/model/escape-control.ts'
import { io } from './io.ts'

/** Writes to standard output unchanged; the text contains its line ends. */
export const say = (text: string): void => void io().out.write(escapeControlInLines(text))

/** Writes one line, or the lines of one message, to standard error. */
export const writeLine = (line: string): void => void io().err.write(`${escapeControlInLines(line)}\n`)
