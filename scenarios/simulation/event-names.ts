/**
 * Names of the events of `check --every` and of the worlds of `test/operations`. The shared types ensure that each
 * event has one name.
 */

export type FrameOutcomeName =
  | 'arrives'
  | 'is lost once'
  | 'arrives, and its answer is lost once'
  | 'arrives, and its answer is late'
  | 'is refused'
  | 'is executed, and again after a short power failure'
  | 'is executed, and a long power failure follows'
  /** No byte passes in either direction, and the port remains open. */
  | 'is lost on a silent line'
  | 'arrives, and its answer is lost on a silent line'
  /** The port is lost, and opened again. */
  | 'is lost with the line'
  | 'arrives, and its answer is lost with the line'
  | 'is executed twice, and the answer is lost with the line'
  | `${AnswerOutcome}, and the far end of the line is moved`
  | `${AnswerOutcome}, and the far end of the line is elsewhere for one question`
  | `${AnswerOutcome}, and the service is killed`

type AnswerOutcome = 'is lost' | 'arrives'

export type ProgramActionName =
  | 'opens a fiscal receipt'
  | 'opens a fiscal receipt and sells'
  | 'opens a non-fiscal receipt'
  | 'sells the same row'
  | 'sells another row'
  | 'voids a row'
  | 'pays the remaining amount in cash'
  | 'pays a part by card'
  | 'closes what is open'
  | 'pays and closes what is open'
  | 'cancels what is open'
  | 'sells a whole receipt'
  | 'prints an X report'
  | 'prints a Z report'
  | 'prints a copy'
  | `${'puts the same cash' | 'puts other cash'} in`
  | `${'takes the same cash' | 'takes other cash'} out`
  | 'does the same'

export type OutsideActionName =
  | 'no other acts'
  | `another program ${ProgramActionName}`
  | 'a Z report is printed by hand'
  | 'the clock of the device is set one hour on'
  | 'the device is switched off and on'
  | 'the electronic journal cannot be read'
  | 'the electronic journal cannot be read until the answer has arrived'
  | 'another device takes its place'
  | 'another device takes its place until the answer has arrived'
  | 'the memory of the device is a new one'
  | 'the memory of the device is another one, with a receipt'
  | 'the memory of the device is replaced by another one with the same number of documents'
