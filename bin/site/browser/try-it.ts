/** Runs before the reader of "Try it": its requests go to the worker of the site. */
import { channelName } from './messages.ts'
import { scopeAt, start } from './start.ts'

start(channelName(scopeAt('..')))
