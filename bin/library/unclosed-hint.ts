/**
 * Writes a hint if a test of node:test has forgotten `close()`, because its process then never ends. Other test runners
 * report open resources themselves.
 */
/** Resources that keep a process alive without any pending work, such as outputs and idle connections. */
const IDLE = new Set(['TCPServerWrap', 'TCPSocketWrap', 'PipeWrap', 'TTYWrap', 'ProcessWrap', 'SignalWrap'])
const CHECK_MS = 1000
/** Number of consecutive idle checks before the hint, because a test may be idle for a moment. */
const CHECKS = 3

const open = new Map<symbol, string>()
let timer: NodeJS.Timeout | undefined
let idleChecks = 0

/** Without `--test`, only the list of loaded modules shows that node:test runs this file. */
const isNodeTest = (): boolean =>
  process.env['NODE_TEST_CONTEXT'] !== undefined ||
  ((process as { moduleLoadList?: readonly string[] }).moduleLoadList ?? []).some((name) =>
    name.includes('internal/test_runner/harness'),
  )

/**
 * Registers an open resource. `what` is a noun with its article, for the hint. The returned function must be called
 * when the resource is closed.
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
  const hint = `${what} of fiscal-rig is open and keeps this process from ending: close it with "await using", or call its close() in after().`
  // The module is loaded on use, because it requires features of Node that a browser lacks.
  void import('../terminal-output.ts').then(({ writeLine: tell }) => tell(hint))
}
