/** Types of node-program.mjs, for the tests. */
export const PROGRAMS: Readonly<Record<string, string>>
export function nodeProgram(
  root: string,
  machine?: { machine?: string; own?: { readonly execPath: string; readonly versions: { readonly node: string } } },
): { readonly path?: string; readonly missing?: string; readonly wrong?: string }
