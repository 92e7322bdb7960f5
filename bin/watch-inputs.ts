/** `run --watch`: watches only files that a run has read, so that its reports do not start another run. */
import { readdirSync, statSync, watch } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** Time to wait after a change, in ms, because editors write a file in several steps. */
const QUIET_MS = 150

interface InputWatch {
  note(path: string): void
  /** Resolves when a file differs from its recorded state, or when the list of scenario files changes. */
  changed(): Promise<void>
  close(): void
}

export function watchInputs(list: () => readonly string[], folders: () => readonly string[]): InputWatch {
  const states = new Map<string, string>()
  const listed = list().join('\n')
  const stateOf = (path: string): string => {
    const file = statSync(path, { throwIfNoEntry: false })
    return file === undefined ? 'missing' : `${file.mtimeMs} ${file.size}`
  }
  const namesIn = (folder: string): string => {
    try {
      const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
      return names.map((name) => `${name} ${stateOf(join(folder, name))}`).join('\n')
    } catch {
      return ''
    }
  }
  const before = new Map(folders().map((folder) => [folder, namesIn(folder)]))
  const isChanged = (): boolean =>
    list().join('\n') !== listed ||
    [...states].some(([path, state]) => stateOf(path) !== state) ||
    [...before].some(([folder, names]) => namesIn(folder) !== names)

  let wake: () => void = () => undefined
  const watchers: ReturnType<typeof watch>[] = []
  const open = (): void => {
    const own = new Set(list().map((file) => dirname(resolve(file))))
    const otherPaths = new Set([...[...states.keys()].map(dirname), ...before.keys()])
    for (const folder of new Set([...own, ...otherPaths])) {
      try {
        watchers.push(watch(folder, { recursive: own.has(folder) || before.has(folder) }, () => wake()))
      } catch {
        // A folder that has disappeared counts as changed.
      }
    }
  }
  return {
    note(path) {
      const file = resolve(path)
      if (!states.has(file)) states.set(file, stateOf(file))
    },
    async changed() {
      open()
      while (!isChanged()) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
        await new Promise((resolve) => setTimeout(resolve, QUIET_MS))
      }
    },
    close() {
      for (const watcher of watchers) watcher.close()
    },
  }
}
