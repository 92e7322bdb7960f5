/** Returns a pattern that matches only this text. Not in pattern.ts, which is replaced in the browser. */
export const escapedText = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
