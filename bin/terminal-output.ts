/** Output without control characters that would affect a terminal. */
import { escapeControlInLines } from '../drivers/model/escape-control.ts'
import { io } from './io.ts'

/** Writes to standard output without adding a line end. */
export const say = (text: string): void => void io().out.write(escapeControlInLines(text))

/** Writes a message of one or several lines to standard error. */
export const writeLine = (line: string): void => void io().err.write(`${escapeControlInLines(line)}\n`)
