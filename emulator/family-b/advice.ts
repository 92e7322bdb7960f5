import { type Advice, LONG, NO_LINE, NO_PAPER, SHORT } from '../advice.ts'

// biome-ignore format: a table
export const advice: readonly Advice[] = [
  { faults: SHORT, section: '5.4', does: 'Send the same packet again, same SEQ and same CMD: the device knows it for a repeat and gives its stored answer. Discard an answer whose SEQ or CMD is not that of your question, or whose sum is wrong.' },
  { faults: LONG, steps: ['opening'], section: '10.6', does: 'Do not open again blindly: ask 76 under a new number until the device answers, and 113 for the document number. If it has gone up and 76 says open, go on in this receipt or cancel it by 130.' },
  { faults: LONG, steps: ['sale'], section: '10.6', does: 'With its power the device loses the stored answer: the same packet would sell twice. Ask 76: `Items` and `Amount` tell whether the row is in; send it again only if it is not.' },
  { faults: LONG, steps: ['payment'], section: '10.6', does: 'Ask 76 with T: `Tender` and `Remainder` tell whether the payment was counted. Pay only what is left; 53 with a TAB alone pays the rest in cash.' },
  { faults: LONG, steps: ['closing'], section: '10.6', does: 'Before anything is printed again, ask 76 and 113: `Open` 0 and this document number mean that the receipt is printed; with `Open` 1 send 56 again. Never tell the operator that it failed before that.' },
  { faults: LONG, section: '5.3', does: 'A question may be asked again under a new number until the device is back. Only then decide.' },
  { faults: ['busy'], section: '5.2', does: 'SYN (16h) means that the command is being carried out: each one starts the wait anew. What is sold again behind it is sold twice.' },
  { faults: ['refused'], steps: ['payment', 'closing'], section: '9', does: 'A status bit of an error means that the command was not carried out: try it again. Once something is paid, 130 is refused: pay the rest (53 with a TAB) and close (56), so that no receipt stays open.' },
  { faults: ['refused'], section: '8', does: 'A status bit of an error means that the command was not carried out: try it again, or cancel the receipt by 130 and say that the sale failed.' },
  { faults: ['killed'], section: '10.6', does: 'Write down the sale and the number of 113 before 48 is sent. At the next start ask 76 and 113: a receipt that is open and unpaid is cancelled (130), a paid one is closed (56), a closed one with this sum is this sale and is not printed again.' },
  { faults: NO_PAPER, section: '13', does: 'Paper that runs out inside a command does not end it: SYN goes on until the roll is in, and the document is printed to its end. Wait on; before a command bit 2.0 says that it is refused. Ask 76 before you decide anything.' },
  { faults: NO_LINE, section: '5.3', does: 'No answer to the first question: nothing has been sold. Give up after some seconds and say that the sale failed; do not wait for ever.' },
  { faults: ['openFiscalBefore'], section: '10.5', does: 'Ask 76 before 48. A fiscal receipt that is not yours and on which nothing is paid is cancelled by 130; never sell into it.' },
  { faults: ['paidFiscalBefore'], section: '10.5', does: 'Ask 76 with T before 48. A receipt on which something is paid cannot be cancelled any more: pay the rest (53 with a TAB) and close it (56), then open your own.' },
  { faults: ['openNonFiscalBefore'], section: '10.2', does: 'Look at the status bits before 48: a non-fiscal receipt that is open is ended by 39, then open your own.' },
  { faults: ['dayOver'], section: '13', does: 'Error 82: sales are blocked until a Z is made. Say that the sale failed and why, and have the Z (69) made; nothing is open after the refusal.' },
  { faults: ['memoryFull'], section: '13', does: 'Error 30: say that the sale failed and leave no receipt open behind you.' },
  { faults: ['noiseBefore'], section: '5.1', does: 'Skip every byte before 01h, 15h or 16h, and send the packet again with the same SEQ after NAK: garbage in front of an answer is no answer.' },
  { faults: ['portTaken'], section: '3', does: 'The device takes one client at a time: open the port again for some seconds before you say that the sale failed.' },
]
