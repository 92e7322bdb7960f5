/** A browser tab is reached by no name but its own. */
export const hostname = (): string => 'localhost'
export const networkInterfaces = (): Readonly<Record<string, never>> => ({})
export const tmpdir = (): string => '/tmp'
