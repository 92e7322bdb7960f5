/**
 * Barcodes of command 84 (sheet 12). The service's types 4, 7 and 8 have no counterpart. EAN and UPC-A data are sent
 * without the check digit, which the device adds.
 */

interface BarcodeKind {
  readonly wire: number
  readonly serviceType: number
  readonly name: string
  readonly pattern: RegExp
  /**
   * Characters that the device accepts. The device answers other characters with error 14 and too many with error 16.
   */
  readonly alphabet: RegExp
  readonly data: string
  /** Number of digits without the check digit, for codes whose check digit the caller may include. */
  readonly checked?: number
}

const DIGITS = /^\d+$/

export const BARCODES: readonly BarcodeKind[] = [
  { wire: 1, serviceType: 1, name: 'EAN-8', pattern: /^\d{7}$/, alphabet: DIGITS, data: '7 digits, or 8 with the check digit', checked: 7 },
  { wire: 2, serviceType: 2, name: 'EAN-13', pattern: /^\d{12}$/, alphabet: DIGITS, data: '12 digits, or 13 with the check digit', checked: 12 },
  { wire: 3, serviceType: 3, name: 'Code 128', pattern: /^[\x20-\x7f]{1,18}$/, alphabet: /^[\x20-\x7f]+$/, data: '1 to 18 characters of ASCII' },
  { wire: 4, serviceType: 10, name: 'UPC-E', pattern: /^0\d{7}$/, alphabet: DIGITS, data: '8 digits, the first is 0' },
  { wire: 5, serviceType: 9, name: 'UPC-A', pattern: /^\d{11}$/, alphabet: DIGITS, data: '11 digits, or 12 with the check digit', checked: 11 },
  { wire: 6, serviceType: 5, name: 'Standard 2 of 5', pattern: /^\d{1,9}$/, alphabet: DIGITS, data: '1 to 9 digits' },
  { wire: 7, serviceType: 6, name: 'Interleaved 2 of 5', pattern: /^\d{1,18}$/, alphabet: DIGITS, data: '1 to 18 digits' },
  { wire: 8, serviceType: 11, name: 'Interleaved 2 of 5, modulo 10', pattern: /^\d{1,18}$/, alphabet: DIGITS, data: '1 to 18 digits' },
  { wire: 9, serviceType: 12, name: 'Code 39', pattern: /^[0-9A-Z. $/+%-]{1,9}$/, alphabet: /^[0-9A-Z. $/+%-]+$/, data: '1 to 9 digits, capitals or . $ / + % - and blanks' },
  { wire: 10, serviceType: 13, name: 'Code 39, modulo 43', pattern: /^[0-9A-Z. $/+%-]{1,8}$/, alphabet: /^[0-9A-Z. $/+%-]+$/, data: '1 to 8 digits, capitals or . $ / + % - and blanks' },
  { wire: 11, serviceType: 14, name: 'Code 93', pattern: /^[0-9A-Z]{1,11}$/, alphabet: /^[0-9A-Z]+$/, data: '1 to 11 digits or capitals' },
  { wire: 12, serviceType: 15, name: 'Codabar', pattern: /^[0-9A-D]{1,14}$/, alphabet: /^[0-9A-D]+$/, data: '1 to 14 digits or letters A to D' },
  { wire: 13, serviceType: 16, name: 'POSTNET', pattern: /^\d{1,13}$/, alphabet: DIGITS, data: '1 to 13 digits' },
] // biome-ignore format: a table
