import { type Advice, LONG, NO_LINE, NO_PAPER, SHORT } from '../advice.ts'

// biome-ignore format: a table
export const advice: readonly Advice[] = [
  { faults: SHORT, section: '2.6', does: 'Send the same frame again under the same number (SEQ): the device knows it for a repeat, does nothing twice and gives its stored answer. Trust no answer whose sum, number or command is not that of your question.' },
  { faults: LONG, steps: ['opening'], section: '6.7', does: 'Do not open again blindly: ask 76 under a new number until the device answers. A document number above the one before the opening means that this receipt is open; go on in it, or cancel it by 60.' },
  { faults: LONG, steps: ['sale'], section: '6.7', does: 'With its power the device loses the stored answer: the same frame would sell twice. Ask 76: `items` and `amount` tell whether the row is in; send it again only if it is not.' },
  { faults: LONG, steps: ['payment'], section: '6.7', does: 'Ask 76: `paid` tells whether the payment was counted. Pay only what is left; an empty amount in 53 pays exactly the rest.' },
  { faults: LONG, steps: ['closing'], section: '6.7', does: 'Before anything is printed again, ask 76: `open` 0 with the number of this receipt and `paid` as large as `amount` means that it is printed; with `open` 1 send 56 again. Never tell the operator that it failed before that.' },
  { faults: LONG, section: '2.5', does: 'A question may be asked again under a new number until the device is back. Only then decide.' },
  { faults: ['busy'], section: '2.5', does: 'SYN (16h) every 60 ms means that the command is being carried out: wait on as long as it comes. A frame that is sent meanwhile is dropped, and what is sold again behind it is sold twice.' },
  { faults: ['refused'], steps: ['payment', 'closing'], section: '5', does: 'A negative code means that the command was not carried out: try it again. Once something is paid, 60 is refused: pay the rest (53 with empty fields) and close (56), so that no receipt stays open.' },
  { faults: ['refused'], section: '4.1', does: 'A negative code in the first field means that the command was not carried out: try it again, or cancel the receipt by 60 and say that the sale failed.' },
  { faults: ['killed'], section: '6.7', does: 'Write down the sale and the last document number before 48 is sent. At the next start ask 76: a receipt that is open and unpaid is cancelled (60), a paid one is closed (56), a closed one with this sum is this sale and is not printed again.' },
  { faults: NO_PAPER, section: '4.2', does: 'Without paper, and with the cover open, what prints is refused (-112006 and its neighbours) and the receipt stays as it is. Wait for the roll, ask 76 how far the receipt has come, and go on in it.' },
  { faults: NO_LINE, section: '2.5', does: 'No answer to the first question: nothing has been sold. Give up after some seconds and say that the sale failed; do not wait for ever.' },
  { faults: ['openFiscalBefore'], section: '6.5', does: 'Ask 76 before 48. A fiscal receipt that is not yours and on which nothing is paid is cancelled by 60; never sell into it.' },
  { faults: ['paidFiscalBefore'], section: '5', does: 'Ask 76 before 48. A receipt on which something is paid cannot be cancelled any more: pay the rest (53 with empty fields) and close it (56), then open your own.' },
  { faults: ['openNonFiscalBefore'], section: '6.2', does: 'Ask 76 before 48: `open` 5 is a non-fiscal receipt. End it by 39, then open your own.' },
  { faults: ['dayOver'], section: '6.3', does: '48 is refused with -111024 until a Z is made: say that the sale failed and why, and have the Z (69) made. Nothing is open after the refusal.' },
  { faults: ['memoryFull'], section: '6.3', does: '48 or 56 is refused with -100114: say that the sale failed and leave no receipt open behind you.' },
  { faults: ['noiseBefore'], section: '2.5', does: 'Skip every byte before 01h, 15h or 16h, and repeat the frame after NAK: garbage in front of an answer is no answer.' },
  { faults: ['portTaken'], section: '1', does: 'The device takes one client at a time: open the port again for some seconds before you say that the sale failed.' },
]
