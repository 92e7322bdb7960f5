/** The program of a worker thread of `emulate --count` and `--fleet`. Its data are the settings. */
import { enableCompileCache } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import type { Settings } from '../server/config.ts'

enableCompileCache()
const [{ runThread }, { pageTill }, { serviceCalls }] = await Promise.all([
  import('../emulator/fleet/run-thread.ts'),
  import('./panel-till.ts'),
  import('../server/service-calls.ts'),
])
if (!parentPort) throw new Error('this is the program of a worker thread')
runThread(parentPort, (emulator) => ({ till: pageTill(emulator, workerData as Settings), serviceCalls }))
