// Programs of Debian's that the project uses. Plain JavaScript: bin/npm-tasks.mjs reads it before anything is installed.

export const SOCAT = { program: 'socat', package: 'socat' }

/** Without the windows of a desktop it needs half the time. */
export const CHROMIUM = {
  program: 'chromium-headless-shell',
  package: 'chromium-headless-shell',
  instead: { program: 'chromium', package: 'chromium' },
}

/** Campaigns on many machines are tested on a real one. */
export const REDIS = { program: 'redis-server', package: 'redis-server' }

/** Reads the barcodes of a picture. */
const ZBAR = { program: 'zbarimg', package: 'zbar-tools' }

/** What a part of `npm run test:deep` (bin/commands/test-parts.ts) needs besides; what is missing is named as not run. */
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
