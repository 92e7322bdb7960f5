import { formatPercent } from '../../drivers/model/money.ts'
import { TAX_CODES, taxLetter } from '../../drivers/model/receipt.ts'
import type { Emulator } from '../emulator.ts'
import type { Route } from './routes.ts'
import { printSample } from './sample.ts'

/** What the page shows and does beyond decisions 6: the receipt in hand, names, lines to attach to, a sample. */
export function pageRoutes(emulator: Emulator): readonly Route[] {
  const { device, wire } = emulator
  return [
    {
      // The receipt in hand as it grows; null: none is open.
      path: '/emulator/receipt',
      methods: {
        get: async () => {
          const open = device.openPaper
          if (!open) return { json: null }
          const { paperSvg } = await import('../print/svg-paper.ts')
          const { number, operations, printed } = open
          const svg = paperSvg(operations, device.profile.lineWidth, { title: `Open receipt ${number}`, printed })
          return { json: { number, svg } }
        },
      },
    },
    {
      path: '/emulator/commands',
      methods: { get: () => ({ json: wire.commands.map(({ name, code }) => ({ name, code })) }) },
    },
    {
      path: '/emulator/registers',
      methods: {
        get: () => ({
          json: {
            taxRates: TAX_CODES.slice(0, device.profile.taxGroups).map((code) => {
              const rate = device.registers.taxRates[code - 1] ?? null
              return { taxCode: code, letter: taxLetter(code), rate: rate === null ? null : formatPercent(rate) }
            }),
            payments: device.registers.payments.map(({ mode, name }) => ({ paymentMode: mode, name })),
            lineWidth: device.profile.lineWidth,
            departments: device.profile.departments,
            nameLength: device.profile.articles.nameLength,
          },
        }),
      },
    },
    {
      path: '/emulator/lines',
      methods: { get: () => ({ json: emulator.lines }) },
    },
    {
      path: '/emulator/sample',
      methods: { post: () => ({ json: printSample(emulator) }) },
    },
  ]
}
