/**
 * Parses traffic as people paste it: hexadecimal lines with an arrow or a word for the direction, with or without
 * times. The sense of an arrow is uncertain (`withCompleteDirections`).
 */
import type { Direction, Piece } from './piece.ts'

const MARKER =
  /(?<!\w)(?:tx|rx|send|sending|sent|recv|receive|received|write|read|out|in|host|pc|device|printer|request|response|answer)(?!\w)[\s:=]*|-{1,4}>|={1,4}>|>{1,4}|<-{1,4}|<={1,4}|<{1,4}|→|←/gi
const ARROW = /-{1,4}>|={1,4}>|>{1,4}|<-{1,4}|<={1,4}|<{1,4}|→|←/
const TO_HOST = /^(?:rx|recv|rece|read|in|device|printer|resp|answer)/i

const REMARK = /[|#"(]|\/\//
const BYTES = /^(?:(?:0x|\\x)?[0-9a-f]{2})+$/i
const OFFSET = /^[0-9a-f]{4,8}(?::\s*|\s{2,})(?=[0-9a-f]{2}\b)/i

const WHOLE_TIME = /(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:[.,](\d{1,6}))?/
const TIME_OF_DAY = /(?<!\d)(\d\d:\d\d:\d\d)(?:[.,](\d{1,6}))?(?!\d)/

/** Returns `undefined` if the text contains anything other than bytes. */
function bytesIn(text: string): Uint8Array | undefined {
  const [plain = ''] = text.split(REMARK)
  const words = plain
    .trim()
    .replace(OFFSET, '')
    .split(/[\s,;:-]+/)
    .filter((word) => word !== '')
  if (words.length === 0 || !words.every((word) => BYTES.test(word))) return undefined
  return Uint8Array.from(Buffer.from(words.join('').replace(/0x|\\x/gi, ''), 'hex'))
}

const MARKERS_MAX = 8

function directedBytes(line: string): Omit<Piece, 'at'> | undefined {
  let markers = 0
  for (const { 0: marker, index } of line.matchAll(MARKER)) {
    if (++markers > MARKERS_MAX) return undefined
    const bytes = bytesIn(line.slice(index + marker.length))
    if (!bytes) continue
    const arrow = ARROW.exec(line.slice(0, index + marker.length))?.[0]
    const isToHost = arrow === undefined ? TO_HOST.test(marker) : /[<←]/.test(arrow)
    return { direction: isToHost ? 'toHost' : 'toDevice', bytes }
  }
  return undefined
}

function timeIn(line: string): number | undefined {
  const [, date, clock, fraction = ''] = WHOLE_TIME.exec(line) ?? []
  const [, alone, fractionAlone = ''] = date === undefined ? (TIME_OF_DAY.exec(line) ?? []) : []
  const text = date === undefined ? alone && `1970-01-01T${alone}Z` : `${date}T${clock}Z`
  const seconds = text === undefined ? Number.NaN : Date.parse(text)
  return Number.isNaN(seconds) ? undefined : seconds + Number(`0.${fraction || fractionAlone || '0'}`) * 1000
}

const STEP_MS = 1

/** `read` returns `undefined` for a line that contains no bytes. */
export class PastedReader {
  #at = 0
  #direction: Direction | undefined

  read(line: string): Piece | undefined {
    const directed = directedBytes(line)
    if (directed) {
      this.#at = timeIn(line) ?? this.#at + STEP_MS
      this.#direction = directed.direction
      return { at: this.#at, ...directed }
    }
    // A long line continues in the next one.
    const bytes = this.#direction && bytesIn(line)
    return bytes && this.#direction ? { at: this.#at, direction: this.#direction, bytes } : undefined
  }
}
