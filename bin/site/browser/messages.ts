/** Messages between pages and the worker of the device: HTTP in chunks, for all pages of a site. */

/** Over plain HTTP, a browser has no locks, and two workers would execute each request twice on the same data. */
export const canShare = (): boolean => 'locks' in navigator

const pageChannelName = (prefix: string, scope: string): string =>
  `${prefix}${crypto.getRandomValues(new Uint32Array(2))} ${scope}`

/** Pages with the same address share one worker if the browser can. */
export const channelName = (scope: string): string =>
  canShare() ? `fiscal-rig ${scope}` : pageChannelName('fiscal-rig ', scope)

const LINK = 'fiscal-rig link '
/** The page of a shared scenario has its own worker, which stores nothing. */
export const linkChannelName = (scope: string): string => pageChannelName(LINK, scope)
export const isOfLink = (name: string): boolean => name.startsWith(LINK)

export type Headers = readonly (readonly [name: string, value: string])[]

export type ToWorker =
  /** A new page asks whether a worker is running. */
  | { readonly to: 'worker'; readonly is: 'hello' }
  | {
      readonly to: 'worker'
      readonly is: 'request'
      readonly from: PageName
      readonly id: number
      readonly method: string
      readonly path: string
      readonly headers: Headers
      readonly body: Uint8Array | undefined
    }
  | { readonly to: 'worker'; readonly is: 'gone'; readonly from: PageName; readonly id: number }

export type PageName = `page ${string}`

/** `workerId` identifies the sending worker. A new worker does not know the requests to the previous one. */
export type ToPages =
  | { readonly to: 'pages'; readonly is: 'ready'; readonly workerId: string }
  /** The page that runs the worker is being closed. Another page will start a new worker. */
  | { readonly to: 'pages'; readonly is: 'closed' }
  | { readonly to: 'pages'; readonly is: 'chosen' }
  /** The device cannot be opened, or its changes cannot be stored. */
  | { readonly to: 'pages'; readonly is: 'trouble'; readonly why: string }
  | {
      readonly to: PageName
      readonly id: number
      readonly is: 'head'
      readonly status: number
      readonly headers: Headers
    }
  | { readonly to: PageName; readonly id: number; readonly is: 'piece'; readonly bytes: Uint8Array }
  | { readonly to: PageName; readonly id: number; readonly is: 'end' }
