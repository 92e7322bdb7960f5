export function nodeProgram(
  root: string,
  machine?: { machine?: string; own?: { readonly execPath: string; readonly versions: { readonly node: string } } },
): { readonly path?: string; readonly missing?: string; readonly wrong?: string }
