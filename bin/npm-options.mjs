// Options of fiscal-rig that npm consumes. Plain JavaScript, because this file is loaded before any package is
// installed.

/** Options of the tasks, without dashes. `json` is missing, because npm has such an option itself. */
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
 * Returns a message if npm has consumed options of this task because `--` is missing before them. npm passes such
 * options on in the environment.
 *
 * @param {string} task
 * @param {Record<string, string | undefined>} env
 * @returns {string | undefined}
 */
export function consumedByNpm(task, env) {
  const consumed = (OPTIONS_OF_TASKS[task] ?? []).filter((name) => {
    const key = `npm_config_${name.replace(/^no-/, '').replaceAll('-', '_')}`
    return name.startsWith('no-') ? env[key] === '' || env[key] === 'false' : env[key] !== undefined && env[key] !== ''
  })
  if (consumed.length === 0) return undefined
  const words = consumed.map((name) => `--${name}`)
  const command = task === 'start' ? 'npm start' : `npm run ${task}`
  return `npm has consumed ${words.join(' ')} as its own options. Write -- before the options: ${command} -- ${words.join(' ')} ...`
}
