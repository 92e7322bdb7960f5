/**
 * Takes the place of scenarios/runner/pattern.ts in a browser, where nothing interrupts a pattern: the worker of a shared
 * scenario has a device of its own, and closing its page ends it.
 */

export const matchesPattern = (source: string, flags: string, text: string): boolean =>
  new RegExp(source, flags).test(text)
