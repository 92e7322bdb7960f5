import { type Advice, LONG_FAULTS, NO_LINE, NO_PAPER, NOT_TWICE, SHORT_FAULTS } from '../advice.ts'

const SILENT = [...SHORT_FAULTS, ...LONG_FAULTS]

// biome-ignore format: a table
export const advice: readonly Advice[] = [
  { faults: SILENT, steps: ['opening'], section: '2.4', does: 'The device does not recognize retransmissions. Use 72h to find out whether a receipt is open, and 71h to read the last number, before you send 30h again; continue your own open receipt, or void it with 39h.' },
  { faults: SILENT, steps: ['sale'], section: '2.4', does: 'The device does not recognize retransmissions: the same frame sells twice. Query 72h: the number of sales and the sums show whether the row was sold; send it again only if it was not.' },
  { faults: SILENT, steps: ['payment'], section: '4.11', does: 'The device does not recognize retransmissions. Use 72h to find out whether the payment has started and which amount remains, and pay only that; a payment that is sent again blindly is refused or paid twice.' },
  { faults: SILENT, steps: ['closing'], section: '4.14', does: 'Before anything is printed again, query 72h: no open receipt and a higher number in 71h mean that it was printed; if it is paid and still open, send 38h again. Do not report a failure to the operator before that.' },
  { faults: SILENT, steps: NOT_TWICE, section: '2.4', does: 'The device does not recognize retransmissions: query what it has done before you send the command again.' },
  { faults: SILENT, section: '2.6', does: 'Repeat a query until the device responds. Send ping 09h first, and decide only after its answer.' },
  { faults: ['busy'], section: '2.5', does: 'Ping 09h: 41h means that it is busy, and RETRY that a frame was sent too early and was not accepted. Wait, then read the state (72h) before anything is sent again.' },
  { faults: ['refused'], steps: ['payment', 'closing'], section: '4.11', does: 'Error digits in the acknowledgement mean that the command was not executed: try again. After the first payment 39h would complete the sale: reverse the payments with 35h and `-`, or finish with 36h.' },
  { faults: ['refused'], section: '2.3', does: 'Error digits in the acknowledgement mean that the command was not executed: try again, or void the receipt with 39h and report that the sale failed.' },
  { faults: ['killed'], section: '4.14', does: 'Write down the sale and the number of 71h before 30h is sent. At the next start ask 72h: what is open and unpaid is voided (39h), what is paid is closed (38h), and a number that has gone up with this sum is this sale and is not printed again.' },
  { faults: NO_PAPER, section: '5.3', does: 'A device that runs out of paper while printing is blocked (ping 43h, 42h) until a roll is loaded, and then completes the command: keep waiting. Before a command, 31/32 means that it was not executed.' },
  { faults: NO_LINE, section: '2.6', does: 'No answer to the ping: nothing was sold. Give up after some seconds and report that the sale failed; do not wait forever.' },
  { faults: ['openFiscalBefore'], section: '5.1', does: 'Ask 72h before 30h. A fiscal receipt that is not yours and on which nothing is paid is voided by 39h; never sell into it.' },
  { faults: ['paidFiscalBefore'], section: '4.11', does: 'Ask 72h before 30h. Close a paid receipt with 38h (pay a remaining amount with 36h), then open your own.' },
  { faults: ['openNonFiscalBefore'], section: '4.5', does: 'Check the status before 30h: close an open non-fiscal receipt with 2Fh, then open your own.' },
  { faults: ['dayOver'], section: '5.3', does: '3B/32: sales are refused until a Z report is printed. Report that the sale failed and why, and print the Z report (7Ch); nothing is open after the refusal.' },
  { faults: ['memoryFull'], section: '5.3', does: '38/32: report that the sale failed and leave no receipt open.' },
  { faults: ['noiseBefore'], section: '2.5', does: 'Skip every byte that does not begin an answer, and retransmit the frame after NACK: garbage before an answer is no answer.' },
  { faults: ['portTaken'], section: '1', does: 'The device accepts one client at a time: try to open the port for some seconds before you report that the sale failed.' },
]
