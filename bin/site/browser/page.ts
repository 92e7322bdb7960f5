/** The page of the site: the control panel's, over the worker. */
import { connect, install } from './network.ts'

install(
  connect(
    new URL('.', location.href).href,
    (name) => new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name }),
  ),
)
await import('../../../emulator/panel/page/src/main.tsx')
