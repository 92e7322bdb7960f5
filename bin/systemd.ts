/** Integration with systemd: a unit file, and sd_notify messages when the service is ready, alive and ending. */
import { spawn } from 'node:child_process'
import { userInfo } from 'node:os'
import { systemClock } from '../drivers/model/clock.ts'

export type UnitKind = 'system' | 'user'

interface UnitOptions {
  readonly kind: UnitKind
  readonly program: readonly [node: string, program: string]
  readonly args: readonly string[]
  readonly folder: string
}

/** Escapes an argument of ExecStart, where `%` and `$` have a meaning. */
const unitWord = (word: string): string => {
  const text = word.replaceAll('%', '%%').replaceAll('$', '$$$$')
  return /^[\w./:=@%$,+?-]+$/.test(text) ? text : `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}

/** Time in s without a message after which systemd restarts the service. */
const WATCHDOG_S = 60

/**
 * The unit has `NotifyAccess=all`: Node has no Unix datagram sockets, so that the child process systemd-notify sends
 * the messages.
 */
export function unitText({ kind, program, args, folder }: UnitOptions): string {
  const isSystem = kind === 'system'
  const lines = [
    '[Unit]',
    'Description=fiscal-rig: REST service for a fiscal printer',
    ...(isSystem ? ['Wants=network-online.target', 'After=network-online.target'] : []),
    '',
    '[Service]',
    'Type=notify',
    'NotifyAccess=all',
    `ExecStart=${[...program, 'serve', ...args].map(unitWord).join(' ')}`,
    `WorkingDirectory=${folder.replaceAll('%', '%%')}`,
    `WatchdogSec=${WATCHDOG_S}`,
    'Restart=on-failure',
    // Wrong usage would fail again.
    'RestartPreventExitStatus=2',
    'RestartSec=5',
    'TimeoutStopSec=10',
    'KillMode=mixed',
    ...(isSystem
      ? [
          `User=${userInfo().username}`,
          'SupplementaryGroups=dialout',
          'NoNewPrivileges=true',
          'ProtectSystem=full',
          'PrivateTmp=true',
        ]
      : []),
    '',
    '[Install]',
    `WantedBy=${isSystem ? 'multi-user.target' : 'default.target'}`,
  ]
  return `${lines.join('\n')}\n`
}

export const unitAdvice = (kind: UnitKind): string =>
  kind === 'system'
    ? '# Save as /etc/systemd/system/fiscal-rig.service, then: systemctl daemon-reload && systemctl enable --now fiscal-rig\n'
    : '# Save as ~/.config/systemd/user/fiscal-rig.service, then: systemctl --user enable --now fiscal-rig; loginctl enable-linger keeps it running after a logout\n'

/** Number of messages within the time of the watchdog. */
const REPORTS = 2

/**
 * Notifies systemd that the service is ready, and then regularly that it is alive. Does nothing unless NOTIFY_SOCKET is
 * set. Returns the function that announces the end.
 */
export function notifySystemd(env: NodeJS.ProcessEnv, log: (line: string) => void): () => void {
  if (env['NOTIFY_SOCKET'] === undefined) return () => undefined
  let hasFailed = false
  const send = (...words: readonly string[]): void => {
    const child = spawn('systemd-notify', words, { stdio: 'ignore' })
    child.unref()
    child.on('error', (error) => {
      if (!hasFailed)
        log(
          `Cannot notify systemd that the service is running: ${error.message}. Install systemd-notify. Or set Type=exec in the unit, and remove WatchdogSec.`,
        )
      hasFailed = true
    })
  }
  send('--ready', `--pid=${process.pid}`, 'STATUS=serving')
  const isOurs = env['WATCHDOG_PID'] === undefined || Number(env['WATCHDOG_PID']) === process.pid
  const everyMs = isOurs ? Number(env['WATCHDOG_USEC'] ?? 0) / 1000 / REPORTS : 0
  let cancel: () => void = () => undefined
  const alive = (): void => {
    cancel = systemClock.after(everyMs, () => {
      send('WATCHDOG=1')
      alive()
    })
  }
  if (everyMs >= 1) alive()
  return () => {
    cancel()
    send('STOPPING=1')
  }
}
