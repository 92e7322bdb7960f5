/** Runs before swagger-ui on "Try it", and connects its requests to the worker of the site. */
import { channelName } from './messages.ts'
import { scopeAt, start } from './start-worker.ts'

start(channelName(scopeAt('..')))
