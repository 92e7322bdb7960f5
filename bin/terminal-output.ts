import { escapeControlInLines } from '../drivers/model/escape-control.ts'
import { io } from './io.ts'

/** Writes to standard output without adding a line end. */
export const say = (text: string): void => void io().out.write(escapeControlInLines(text))

export const writeLine = (line: string): void => void io().err.write(`${escapeControlInLines(line)}\n`)
