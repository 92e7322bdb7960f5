import type { Piece } from '../oracle/ledger.ts'

export interface Reply {
  readonly status: number
  readonly data: unknown
  readonly message: string
}

export interface Subject {
  post(path: string, body?: unknown): Promise<Reply>
  get(path: string): Promise<Reply>
  device<T>(path: string): Promise<T>
}

export interface RecordedSubject extends Subject {
  /** Errors that the device reports outside of its answers. */
  readonly troubles: readonly string[]
  readonly pieces: readonly Piece[]
}

export const amountOf = (value: bigint): number => Number(value) / 100
export const quantityOf = (value: bigint): number => Number(value) / 1000

export function expectStatus(what: string, reply: Reply, expected: 'accepted' | 'refused'): void {
  const status = expected === 'accepted' ? 200 : 400
  if (reply.status !== status) {
    const text = reply.status === 200 ? JSON.stringify(reply.data) : reply.message
    throw new Error(`${what}: expected ${status}, the service answered ${reply.status}: ${text}`)
  }
}

export function expectSame(what: string, actual: unknown, expected: unknown): void {
  const one = JSON.stringify(actual)
  const other = JSON.stringify(expected)
  if (one !== other) throw new Error(`${what}: it is ${one}, the model says ${other}`)
}
