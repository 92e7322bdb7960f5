/**
 * Takes the place of scenarios/runner/pattern.ts in a browser, where nothing interrupts a pattern: the page of a
 * shared scenario ends its worker, which has a separate device (network.ts).
 */

export const matchesPattern = (source: string, flags: string, text: string): boolean =>
  new RegExp(source, flags).test(text)
