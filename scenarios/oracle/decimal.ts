/** Parses `12.5` with two decimals as 1250n. Returns `undefined` for other texts, and for more decimals than fit. */
export function decimal(text: string, decimals: number): bigint | undefined {
  const match = /^([+-]?)(\d*)(?:\.(\d*))?$/.exec(text.trim())
  if (!match) return undefined
  const whole = match[2] ?? ''
  const fraction = match[3] ?? ''
  if (whole === '' && fraction === '') return undefined
  if (fraction.length > decimals && /[1-9]/.test(fraction.slice(decimals))) return undefined
  const digits = BigInt(`${whole === '' ? '0' : whole}${fraction.slice(0, decimals).padEnd(decimals, '0')}`)
  return match[1] === '-' ? -digits : digits
}

/** Formats 1250n as `12.50`. */
export function money(value: bigint): string {
  const digits = (value < 0n ? -value : value).toString().padStart(3, '0')
  return `${value < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}
