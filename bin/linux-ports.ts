/** Other users of serial ports on Linux, found in /proc and in the rules of udev. */
import { readdirSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { readForeignFile } from '../drivers/host/foreign-file.ts'

export interface Program {
  readonly pid: number
  readonly name: string
}

const PROC = '/proc'

/** Returns `undefined` if a file cannot be read, because its process has ended or belongs to another user. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

const namesIn = (folder: string): readonly string[] => attempt(() => readdirSync(folder)) ?? []
const textOf = (path: string): string => attempt(() => readForeignFile(path)) ?? ''

const processes = (): readonly number[] =>
  namesIn(PROC)
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid)

const nameOf = (pid: number): string => textOf(`${PROC}/${pid}/comm`).trim() || 'a program'

export const programsNamed = (name: string): readonly Program[] =>
  processes()
    .map((pid) => ({ pid, name: nameOf(pid) }))
    .filter((program) => program.name === name)

const filesOf = (pid: number): readonly { readonly fd: string; readonly path: string | undefined }[] =>
  namesIn(`${PROC}/${pid}/fd`).map((fd) => ({ fd, path: attempt(() => readlinkSync(`${PROC}/${pid}/fd/${fd}`)) }))

/**
 * Returns the programs that have the port open; none on other systems than Linux. A user other than root sees only
 * their own programs.
 */
export function holdersOf(port: string): readonly Program[] {
  const path = attempt(() => realpathSync(port))
  if (path === undefined || process.platform !== 'linux') return []
  const all = processes().map((pid) => ({ pid, files: filesOf(pid) }))
  const makers = makersOf(path, all)
  return all
    .filter(({ pid, files }) => !makers.has(pid) && files.some((file) => file.path === path))
    .map(({ pid }) => ({ pid, name: nameOf(pid) }))
}

function makersOf(path: string, all: readonly { pid: number; files: ReturnType<typeof filesOf> }[]): Set<number> {
  const index = /^\/dev\/pts\/(\d+)$/.exec(path)?.[1]
  const makers = new Set<number>()
  if (index === undefined) return makers
  for (const { pid, files } of all) {
    const isMaker = files.some(
      ({ fd, path: file }) =>
        file !== undefined && /ptmx$/.test(file) && ttyIndexOf(`${PROC}/${pid}/fdinfo/${fd}`) === index,
    )
    if (!isMaker) continue
    makers.add(pid)
    makers.add(Number(/^PPid:\s*(\d+)/m.exec(textOf(`${PROC}/${pid}/status`))?.[1]))
  }
  return makers
}

const ttyIndexOf = (fdinfo: string): string | undefined => /^tty-index:\s*(\d+)/m.exec(textOf(fdinfo))?.[1]

interface Group {
  readonly name: string
  /** True if the user belongs to the group, but has not logged in since joining. */
  readonly isMember: boolean
}

/**
 * Returns the group that may open the port. Returns `undefined` if this process belongs to the group, or if the group
 * is unknown.
 */
export function missingGroup(port: string, user: string): Group | undefined {
  const file = attempt(() => statSync(port))
  if (file === undefined || process.getgroups?.().includes(file.gid) || process.getgid?.() === file.gid)
    return undefined
  const line = textOf('/etc/group')
    .split('\n')
    .map((one) => one.split(':'))
    .find(([, , gid]) => Number(gid) === file.gid)
  if (line?.[0] === undefined) return undefined
  return { name: line[0], isMember: (line[3] ?? '').split(',').includes(user) }
}

const RULES = ['/etc/udev/rules.d', '/run/udev/rules.d', '/usr/lib/udev/rules.d', '/lib/udev/rules.d']
const USB_DEVICES = '/sys/bus/usb/devices'

interface GrabbingRule {
  readonly file: string
  /** Plugged-in adapters that match the rule, for example `1a86:7523`. */
  readonly matchedAdapters: readonly string[]
}

/**
 * Returns the rule with which brltty, the screen reader for braille displays, occupies USB adapters for serial ports.
 */
export function brlttyRule(folders: readonly string[] = RULES, usb: string = USB_DEVICES): GrabbingRule | undefined {
  const files = folders.flatMap((folder) =>
    namesIn(folder)
      .filter((name) => name.includes('brltty') && name.endsWith('.rules'))
      .map((name) => join(folder, name)),
  )
  // A file in an earlier folder hides one with the same name. A link to /dev/null disables it.
  const [file] = files.filter((one, index) => files.findIndex((other) => basename(other) === basename(one)) === index)
  const text = file === undefined ? '' : textOf(file)
  const rules = text.split('\n').filter((line) => !/^\s*(?:#|$)/.test(line))
  if (file === undefined || rules.length === 0) return undefined
  const matchedAdapters = namesIn(usb).flatMap((name) => {
    const [vendor, product] = ['idVendor', 'idProduct'].map((id) =>
      textOf(join(usb, name, id))
        .trim()
        .toLowerCase(),
    )
    if (!vendor || !product) return []
    // `PRODUCT` in a rule has the numbers without leading zeros.
    const [short, other] = [vendor, product].map((id) => id.replace(/^0+(?=.)/, ''))
    return rules.some((line) => line.toLowerCase().includes(`"${short}/${other}/`)) ? [`${vendor}:${product}`] : []
  })
  return { file, matchedAdapters }
}
