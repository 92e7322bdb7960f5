/** Returns the bytes of a text, one for each character. */
export const codes = (data: string): number[] => Array.from(data, (sign) => sign.charCodeAt(0))
