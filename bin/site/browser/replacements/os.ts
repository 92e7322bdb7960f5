/** Replaces node:os in a browser, where no other machine can reach the service. */

export const hostname = (): string => 'localhost'
export const networkInterfaces = (): Readonly<Record<string, never>> => ({})
export const tmpdir = (): string => '/tmp'
