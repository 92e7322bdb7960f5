import { type Advice, LONG, NO_LINE, NO_PAPER, NOT_TWICE, SHORT } from '../advice.ts'

const SILENT = [...SHORT, ...LONG]

// biome-ignore format: a table
export const advice: readonly Advice[] = [
  { faults: SILENT, steps: ['opening'], section: '2.4', does: 'The device knows no repeats. Ask 72h whether a receipt is open, and 71h for the last number, before 30h is sent again; what is open and yours is gone on in, or voided by 39h.' },
  { faults: SILENT, steps: ['sale'], section: '2.4', does: 'The device knows no repeats: the same frame sells twice. Ask 72h: the number of sales and the sums tell whether the row is in; send it again only if it is not.' },
  { faults: SILENT, steps: ['payment'], section: '4.11', does: 'The device knows no repeats. Ask 72h whether the payment has begun and what is due, and pay only that; a payment sent again blindly is refused or paid twice.' },
  { faults: SILENT, steps: ['closing'], section: '4.14', does: 'Before anything is printed again, ask 72h: no receipt open and the number of 71h gone up means that it is printed; paid and still open, send 38h again. Never tell the operator that it failed before that.' },
  { faults: SILENT, steps: NOT_TWICE, section: '2.4', does: 'The device knows no repeats: ask what it has done before you send it again.' },
  { faults: SILENT, section: '2.6', does: 'A question may be asked again until the device is back. Ping 09h first, and decide only when it has answered.' },
  { faults: ['busy'], section: '2.5', does: 'Ping 09h: 41h means that it is working, and RETRY that a frame came too early and was not taken. Wait, then read the state (72h) before anything is sent again.' },
  { faults: ['refused'], steps: ['payment', 'closing'], section: '4.11', does: 'Error digits in the acknowledgement mean that the command was not carried out: try it again. Once something is paid, 39h would complete the sale: take the payments back by 35h with `-`, or finish by 36h.' },
  { faults: ['refused'], section: '2.3', does: 'Error digits in the acknowledgement mean that the command was not carried out: try it again, or void the receipt by 39h and say that the sale failed.' },
  { faults: ['killed'], section: '4.14', does: 'Write down the sale and the number of 71h before 30h is sent. At the next start ask 72h: what is open and unpaid is voided (39h), what is paid is closed (38h), and a number that has gone up with this sum is this sale and is not printed again.' },
  { faults: NO_PAPER, section: '5.3', does: 'Paper that runs out while printing blocks the device (ping 43h, 42h) until the roll is in, and then it finishes the operation by itself: wait on. Before a command 31/32 says that it was not carried out.' },
  { faults: NO_LINE, section: '2.6', does: 'No answer to the ping: nothing has been sold. Give up after some seconds and say that the sale failed; do not wait for ever.' },
  { faults: ['openFiscalBefore'], section: '5.1', does: 'Ask 72h before 30h. A fiscal receipt that is not yours and on which nothing is paid is voided by 39h; never sell into it.' },
  { faults: ['paidFiscalBefore'], section: '4.11', does: 'Ask 72h before 30h. What is paid is closed by 38h (a rest is paid by 36h), then open your own.' },
  { faults: ['openNonFiscalBefore'], section: '4.5', does: 'Look at the status before 30h: a non-fiscal receipt that is open is ended by 2Fh, then open your own.' },
  { faults: ['dayOver'], section: '5.3', does: '3B/32: sales are refused until a Z is made. Say that the sale failed and why, and have the Z (7Ch) made; nothing is open after the refusal.' },
  { faults: ['memoryFull'], section: '5.3', does: '38/32: say that the sale failed and leave no receipt open behind you.' },
  { faults: ['noiseBefore'], section: '2.5', does: 'Skip every byte that does not begin an answer, and send the frame again after NACK: garbage in front of an answer is no answer.' },
  { faults: ['portTaken'], section: '1', does: 'The device takes one client at a time: open the port again for some seconds before you say that the sale failed.' },
]
