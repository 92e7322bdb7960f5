/**
 * Replaces scenarios/runner/pattern.ts in a browser, where a pattern cannot be interrupted: the worker of a shared
 * scenario has a separate device, and closing its page ends it.
 */

export const matchesPattern = (source: string, flags: string, text: string): boolean =>
  new RegExp(source, flags).test(text)
