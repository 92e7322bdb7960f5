/**
 * Replaces scenarios/runner/pattern.ts in a browser, where code cannot interrupt a regular expression. The page of a
 * shared scenario ends its worker instead (network.ts).
 */

export const matchesPattern = (source: string, flags: string, text: string): boolean =>
  new RegExp(source, flags).test(text)
