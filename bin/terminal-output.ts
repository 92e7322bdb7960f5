import { escapeControlInLines } from '../drivers/model/escape-control.ts'
import { io } from './io.ts'

export const say = (text: string): void => void io().out.write(escapeControlInLines(text))

export const writeLine = (line: string): void => void io().err.write(`${escapeControlInLines(line)}\n`)
