import { formatPercent } from '../drivers/model/money.ts'
import type { Settings } from '../server/config.ts'

/**
 * Returns the settings that affect a replay, in the form of the configuration file. A secret that came from a reference
 * is returned as the reference.
 */
export function configOf({
  payments,
  taxRates,
  operators,
  defaults,
  legacy,
  references,
}: Settings): Record<string, unknown> {
  const { operator, pointOfSale, password, customer } = defaults
  const isPlain = operator === 1 && pointOfSale === 1 && password === undefined && customer === undefined
  const rates = Object.entries(taxRates ?? {}).map(([letter, rate]) => [letter, Number(formatPercent(rate))])
  const secret = (at: string, text: string) => references.get(at) ?? text
  const passwords = Object.entries(operators).map(([code, one]) => [
    code,
    { password: secret(`operators.${code}.password`, one.password) },
  ])
  return {
    ...(payments && { payments }),
    ...(rates.length > 0 && { taxRates: Object.fromEntries(rates) }),
    ...(passwords.length > 0 && { operators: Object.fromEntries(passwords) }),
    ...(isPlain
      ? {}
      : {
          defaults: { ...defaults, ...(password !== undefined && { password: secret('defaults.password', password) }) },
        }),
    ...(legacy.plu.length > 0 && { legacy }),
  }
}
