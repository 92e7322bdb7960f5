import { type Advice, LONG_FAULTS, NO_LINE, NO_PAPER, SHORT_FAULTS } from '../advice.ts'

// biome-ignore format: a table
export const advice: readonly Advice[] = [
  { faults: SHORT_FAULTS, section: '2.6', does: 'Retransmit the same frame with the same number (SEQ): the device recognizes the retransmission, executes nothing twice and returns its stored answer. Discard an answer whose checksum, number or command does not match your command.' },
  { faults: LONG_FAULTS, steps: ['opening'], section: '6.7', does: 'Do not open again blindly: ask 76 under a new number until the device answers. If the document number is higher than before the opening, this receipt is open; continue it, or cancel it with 60.' },
  { faults: LONG_FAULTS, steps: ['sale'], section: '6.7', does: 'A device that loses its power loses the stored answer: the same frame would sell twice. Ask 76: `items` and `amount` show whether the row was sold; send it again only if it was not.' },
  { faults: LONG_FAULTS, steps: ['payment'], section: '6.7', does: 'Ask 76: `paid` shows whether the payment was registered. Pay only the remaining amount; an empty amount in 53 pays exactly that.' },
  { faults: LONG_FAULTS, steps: ['closing'], section: '6.7', does: 'Before anything is printed again, ask 76: `open` 0 with the number of this receipt and `paid` as large as `amount` means that it was printed; with `open` 1 send 56 again. Do not report a failure to the operator before that.' },
  { faults: LONG_FAULTS, section: '2.5', does: 'Repeat a query with a new number until the device responds. Decide only then.' },
  { faults: ['busy'], section: '2.5', does: 'SYN (16h) every 60 ms means that the command is still being executed: wait until SYN stops. The device drops a frame that is sent meanwhile, and an item that is sold again after it is sold twice.' },
  { faults: ['refused'], steps: ['payment', 'closing'], section: '5', does: 'A negative code means that the command was not executed: try again. After the first payment 60 is refused: pay the remaining amount (53 with empty fields) and close (56), so that no receipt stays open.' },
  { faults: ['refused'], section: '4.1', does: 'A negative code in the first field means that the command was not executed: try again, or cancel the receipt with 60 and report that the sale failed.' },
  { faults: ['killed'], section: '6.7', does: 'Write down the sale and the last document number before 48 is sent. At the next start ask 76: a receipt that is open and unpaid is cancelled (60), a paid one is closed (56), a closed one with this sum is this sale and is not printed again.' },
  { faults: NO_PAPER, section: '4.2', does: 'Without paper, or with an open cover, commands that print are refused (-112006 and its neighbours) and the receipt does not change. Wait for the roll, ask 76 for the state of the receipt, and continue it.' },
  { faults: NO_LINE, section: '2.5', does: 'No answer to the first command: nothing was sold. Give up after some seconds and report that the sale failed; do not wait forever.' },
  { faults: ['openFiscalBefore'], section: '6.5', does: 'Ask 76 before 48. A fiscal receipt that is not yours and on which nothing is paid is cancelled by 60; never sell into it.' },
  { faults: ['paidFiscalBefore'], section: '5', does: 'Ask 76 before 48. A partly paid receipt can no longer be cancelled: pay the remaining amount (53 with empty fields) and close it (56), then open your own.' },
  { faults: ['openNonFiscalBefore'], section: '6.2', does: 'Ask 76 before 48: `open` 5 is a non-fiscal receipt. Close it with 39, then open your own.' },
  { faults: ['dayOver'], section: '6.3', does: '48 is refused with -111024 until a Z is made: report that the sale failed and why, and print the Z report (69). Nothing is open after the refusal.' },
  { faults: ['memoryFull'], section: '6.3', does: '48 or 56 is refused with -100114: report that the sale failed and leave no receipt open.' },
  { faults: ['noiseBefore'], section: '2.5', does: 'Skip every byte before 01h, 15h or 16h, and retransmit the frame after NAK: garbage before an answer is no answer.' },
  { faults: ['portTaken'], section: '1', does: 'The device accepts one client at a time: try to open the port for some seconds before you report that the sale failed.' },
]
