/**
 * The notation of the fixtures and protocol specifications is two capital hexadecimal digits per byte, separated by
 * blanks.
 */
export const bytesOf = (text: string): Uint8Array =>
  Uint8Array.from(text === '' ? [] : text.split(' '), (digits) => Number.parseInt(digits, 16))

export const textOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).toUpperCase().padStart(2, '0')).join(' ')
