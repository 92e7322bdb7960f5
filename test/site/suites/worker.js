/**
 * Runs the suites in a worker, as the site runs the device. Replacements of Node's globals must be loaded before the
 * suites.
 */
import '../../../bin/site/browser/replacements/globals.ts'

self.onmessage = async ({ data: { of, slice } }) => {
  try {
    await import('./suites.js')
    const { runAll } = await import('#vitest')
    self.postMessage(await runAll((index) => index % of === slice % of))
  } catch (problem) {
    self.postMessage({ ran: 0, failures: [String(problem?.stack ?? problem)] })
  }
}
