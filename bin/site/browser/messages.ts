/** Messages between pages and the worker of the device: HTTP in chunks, for all pages of one site. */

/** Over plain HTTP a browser has no locks: two workers would execute each request twice over the same books. */
export const canShare = (): boolean => 'locks' in navigator

const pageChannelName = (prefix: string, scope: string): string =>
  `${prefix}${crypto.getRandomValues(new Uint32Array(2))} ${scope}`

/** All pages of one address share one worker, if the browser can. */
export const channelName = (scope: string): string =>
  canShare() ? `fiscal-rig ${scope}` : pageChannelName('fiscal-rig ', scope)

const LINK = 'fiscal-rig link '
/** The page of a shared scenario has a separate worker, which stores nothing. */
export const linkChannelName = (scope: string): string => pageChannelName(LINK, scope)
export const isOfLink = (name: string): boolean => name.startsWith(LINK)

export type Headers = readonly (readonly [name: string, value: string])[]

export type ToWorker =
  /** A new page asks whether there is a worker. */
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

/** A page's own address on the channel. */
export type PageName = `page ${string}`

/** Messages to all pages. `workerId`: of the sending worker; another worker does not have the requests before it. */
export type ToPages =
  | { readonly to: 'pages'; readonly is: 'ready'; readonly workerId: string }
  /** The page that has the worker is being closed; the next one starts another. */
  | { readonly to: 'pages'; readonly is: 'closed' }
  /** Another device was chosen. */
  | { readonly to: 'pages'; readonly is: 'chosen' }
  /** The device cannot be opened, or its changes cannot be stored: the message why. */
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
