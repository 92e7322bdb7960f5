/**
 * Returns a pattern that matches only this text. The function has its own file because the browser replaces pattern.ts.
 */
export const escapedText = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
