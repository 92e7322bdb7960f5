/** Names of the machine: a browser tab can be reached only by its own. */

export const hostname = (): string => 'localhost'
export const networkInterfaces = (): Readonly<Record<string, never>> => ({})
export const tmpdir = (): string => '/tmp'
