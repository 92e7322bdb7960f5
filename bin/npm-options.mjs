// What npm does with options that are meant for fiscal-rig. Plain JavaScript, because it is read before anything is installed.

/** Options of the tasks that take some, without their dashes; npm has a --json of its own. */
export const OPTIONS_OF_TASKS = {
  start: [
    ...['family', 'device', 'profile', 'passport', 'baud', 'http-port', 'https-port', 'no-https', 'host', 'panel-port'],
    ...['open', 'data', 'config', 'device-name', 'serial', 'record', 'with-passwords', 'log-level', 'log-format'],
    ...['exit-with-parent', 'name', 'not-fiscalised', 'panel-host', 'print-unit'],
  ],
  'test:deep': ['only', 'shard', 'seed', 'list'],
  bench: ['against', 'family', 'pairs'],
}

/**
 * A sentence, where npm has kept an option of this task for itself because the two dashes before it are missing: it hands
 * such options on in the environment.
 *
 * @param {string} task
 * @param {Record<string, string | undefined>} env
 * @returns {string | undefined}
 */
export function keptByNpm(task, env) {
  const kept = (OPTIONS_OF_TASKS[task] ?? []).filter((name) => {
    const key = `npm_config_${name.replace(/^no-/, '').replaceAll('-', '_')}`
    return name.startsWith('no-') ? env[key] === '' || env[key] === 'false' : env[key] !== undefined && env[key] !== ''
  })
  if (kept.length === 0) return undefined
  const words = kept.map((name) => `--${name}`)
  const command = task === 'start' ? 'npm start' : `npm run ${task}`
  return `npm has taken ${words.join(' ')} as options of its own. Write -- before the options: ${command} -- ${words.join(' ')} ...`
}
