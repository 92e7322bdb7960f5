/**
 * A hint for tests of node:test that forget `close()`, which never end without a message. Other test runners report it
 * themselves.
 */
/** Resources that keep a process alive although it waits for nothing: outputs, idle connections. */
const IDLE = new Set(['TCPServerWrap', 'TCPSocketWrap', 'PipeWrap', 'TTYWrap', 'ProcessWrap', 'SignalWrap'])
const CHECK_MS = 1000
/** Number of checks in a row: a test may wait for a moment. */
const CHECKS = 3

const open = new Map<symbol, string>()
let timer: NodeJS.Timeout | undefined
let idleChecks = 0

/** Returns whether node:test runs this file; without `--test` only the list of loaded modules shows it. */
const isNodeTest = (): boolean =>
  process.env['NODE_TEST_CONTEXT'] !== undefined ||
  ((process as { moduleLoadList?: readonly string[] }).moduleLoadList ?? []).some((name) =>
    name.includes('internal/test_runner/harness'),
  )

/**
 * Registers an open resource. `what`: a noun with its article, for the hint. Returns the function to call at its close.
 */
export function noteOpen(what: string): () => void {
  const id = Symbol(what)
  open.set(id, what)
  if (timer === undefined && isNodeTest()) timer = setInterval(check, CHECK_MS).unref()
  return () => void open.delete(id)
}

function check(): void {
  const isIdle = open.size > 0 && process.getActiveResourcesInfo().every((name) => IDLE.has(name))
  idleChecks = isIdle ? idleChecks + 1 : 0
  if (idleChecks < CHECKS) return
  clearInterval(timer)
  const [what] = open.values()
  const hint = `${what} of fiscal-rig is open and keeps this process from ending: close it, with "await using" or by after(() => service.close()).`
  // Loaded on use: the module needs features of Node that a browser does not have.
  void import('../terminal-output.ts').then(({ writeLine: tell }) => tell(hint))
}
