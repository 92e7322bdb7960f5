export const sep = '/'
export const isAbsolute = (path: string): boolean => path.startsWith(sep)

export function normalize(path: string): string {
  const parts: string[] = []
  for (const part of path.split(sep)) {
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return `${isAbsolute(path) ? sep : ''}${parts.join(sep)}` || '.'
}

/** `undefined` is ignored, because modules have no folder in a browser. */
export const join = (...parts: readonly (string | undefined)[]): string =>
  normalize(parts.filter((part) => part !== undefined && part !== '').join(sep))

export const resolve = (...parts: readonly string[]): string => {
  const last = parts.findLastIndex(isAbsolute)
  return normalize([last < 0 ? sep : '', ...parts.slice(Math.max(0, last))].join(sep))
}

export function relative(from: string, to: string): string {
  const [left, right] = [from, to].map((path) => resolve(path).split(sep).filter(Boolean)) as [string[], string[]]
  let same = 0
  while (same < left.length && left[same] === right[same]) same++
  return [...left.slice(same).map(() => '..'), ...right.slice(same)].join(sep)
}

export const basename = (path: string, ending = ''): string => {
  const name = path.split(sep).filter(Boolean).at(-1) ?? ''
  return name !== ending && ending !== '' && name.endsWith(ending) ? name.slice(0, -ending.length) : name
}
export const dirname = (path: string): string => {
  let end = path.length
  while (path.charAt(end - 1) === sep) end--
  const at = path.lastIndexOf(sep, end - 1)
  return at < 0 ? '.' : path.slice(0, at) || sep
}
export const extname = (path: string): string => /[^./](\.[^./]*)$/.exec(path)?.[1] ?? ''
