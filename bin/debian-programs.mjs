// Debian programs that the project uses. Plain JavaScript, because bin/npm-tasks.mjs imports this file before any
// package is installed.

export const SOCAT = { program: 'socat', package: 'socat' }

/** The headless shell needs half the time of the full browser. */
export const CHROMIUM = {
  program: 'chromium-headless-shell',
  package: 'chromium-headless-shell',
  instead: { program: 'chromium', package: 'chromium' },
}

export const REDIS = { program: 'redis-server', package: 'redis-server' }

const ZBAR = { program: 'zbarimg', package: 'zbar-tools' }

/** Additional programs for parts of `npm run test:deep` (bin/commands/test-parts.ts). */
export const PROGRAMS_OF_PARTS = {
  browser: [ZBAR],
  page: [ZBAR],
  container: [{ program: 'mmdebstrap', package: 'mmdebstrap' }],
  recipes: [
    { program: 'gcc', package: 'gcc libc6-dev' },
    { program: 'picocom', package: 'picocom' },
    { program: 'ser2net', package: 'ser2net' },
    { file: '/usr/lib/python3/dist-packages/serial', package: 'python3-serial' },
    { file: '/usr/lib/python3/dist-packages/pytest', package: 'python3-pytest' },
    { file: '/usr/share/java/junit-platform-console.jar', package: 'junit5' },
    { program: 'go', package: 'golang-go' },
  ],
}
