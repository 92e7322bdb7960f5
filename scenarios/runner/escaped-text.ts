/** Returns a pattern that matches only this text. Not in pattern.ts, because the browser replaces that file. */
export const escapedText = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
