import { type Connection, connect, install } from './network.ts'

/** Returns the address of the site's folder. Pages of the documentation are one folder below (`..`). */
export const scopeAt = (up: '.' | '..'): string =>
  new URL(`${up}/`.replace('.//', './'), location.href.split(/[?#]/)[0]).href

export function start(name: string): Connection {
  const connection = connect(name, () => new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name }))
  install(connection)
  return connection
}
