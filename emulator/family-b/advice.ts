import { type Advice, LONG_FAULTS, NO_LINE, NO_PAPER, SHORT_FAULTS } from '../advice.ts'

// biome-ignore format: a table
export const advice: readonly Advice[] = [
  { faults: SHORT_FAULTS, section: '5.4', does: 'Retransmit the same packet with the same SEQ and CMD: the device recognizes the retransmission and returns its stored answer. Discard an answer whose SEQ or CMD does not match your command, or whose checksum is wrong.' },
  { faults: LONG_FAULTS, steps: ['opening'], section: '10.6', does: 'Do not open again blindly: ask 76 under a new number until the device answers, and 113 for the document number. If it has increased and 76 says open, continue this receipt or cancel it with 130.' },
  { faults: LONG_FAULTS, steps: ['sale'], section: '10.6', does: 'A device that loses its power loses the stored answer: the same packet would sell twice. Ask 76: `Items` and `Amount` show whether the row was sold; send it again only if it was not.' },
  { faults: LONG_FAULTS, steps: ['payment'], section: '10.6', does: 'Ask 76 with T: `Tender` and `Remainder` show whether the payment was registered. Pay only the remaining amount; 53 with a TAB alone pays it in cash.' },
  { faults: LONG_FAULTS, steps: ['closing'], section: '10.6', does: 'Before anything is printed again, ask 76 and 113: `Open` 0 and this document number mean that the receipt was printed; with `Open` 1 send 56 again. Do not report a failure to the operator before that.' },
  { faults: LONG_FAULTS, section: '5.3', does: 'Repeat a query with a new number until the device responds. Decide only then.' },
  { faults: ['busy'], section: '5.2', does: 'SYN (16h) means that the command is still being executed: restart the timeout at each one. An item that is sold again after it is sold twice.' },
  { faults: ['refused'], steps: ['payment', 'closing'], section: '9', does: 'An error bit in the status means that the command was not executed: try again. After the first payment 130 is refused: pay the remaining amount (53 with a TAB) and close (56), so that no receipt stays open.' },
  { faults: ['refused'], section: '8', does: 'An error bit in the status means that the command was not executed: try again, or cancel the receipt with 130 and report that the sale failed.' },
  { faults: ['killed'], section: '10.6', does: 'Write down the sale and the number of 113 before 48 is sent. At the next start ask 76 and 113: a receipt that is open and unpaid is cancelled (130), a paid one is closed (56), a closed one with this sum is this sale and is not printed again.' },
  { faults: NO_PAPER, section: '13', does: 'A command that runs out of paper is not over: SYN continues until a roll is loaded, and then the document is completed. Keep waiting; before a command, bit 2.0 means that it will be refused. Ask 76 before you decide anything.' },
  { faults: NO_LINE, section: '5.3', does: 'No answer to the first command: nothing was sold. Give up after some seconds and report that the sale failed; do not wait forever.' },
  { faults: ['openFiscalBefore'], section: '10.5', does: 'Ask 76 before 48. A fiscal receipt that is not yours and on which nothing is paid is cancelled by 130; never sell into it.' },
  { faults: ['paidFiscalBefore'], section: '10.5', does: 'Ask 76 with T before 48. A partly paid receipt can no longer be cancelled: pay the remaining amount (53 with a TAB) and close it (56), then open your own.' },
  { faults: ['openNonFiscalBefore'], section: '10.2', does: 'Check the status bits before 48: close an open non-fiscal receipt with 39, then open your own.' },
  { faults: ['dayOver'], section: '13', does: 'Error 82: sales are blocked until a Z is made. Report that the sale failed and why, and print the Z report (69); nothing is open after the refusal.' },
  { faults: ['memoryFull'], section: '13', does: 'Error 30: report that the sale failed and leave no receipt open.' },
  { faults: ['noiseBefore'], section: '5.1', does: 'Skip every byte before 01h, 15h or 16h, and retransmit the packet with the same SEQ after NAK: garbage before an answer is no answer.' },
  { faults: ['portTaken'], section: '3', does: 'The device accepts one client at a time: try to open the port for some seconds before you report that the sale failed.' },
]
