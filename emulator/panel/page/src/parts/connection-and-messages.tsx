import { change, useStore } from '../store.ts'

export function toMain(): void {
  document.getElementById('main')?.focus()
}

const timeOf = (ms: number): string => {
  const at = new Date(ms)
  return [at.getHours(), at.getMinutes(), at.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':')
}

export function Connection() {
  const connection = useStore((state) => state.connection)
  const lostAt = useStore((state) => state.lostAt)
  const lostText = `no connection since ${timeOf(lostAt)}`
  return (
    // The width fits the longest text, so that nothing moves when the connection is lost.
    <p
      class={`connection ${connection}`}
      data-longest={lostText}
      title={connection === 'lost' ? 'The page shows the last known state, and tries to reconnect.' : undefined}
    >
      <span role="status">{connection === 'lost' ? lostText : connection}</span>
    </p>
  )
}

export function Message() {
  const message = useStore((state) => state.message)
  return (
    <div class="message-place">
      <div role="status">
        {message && !message.isError ? (
          <p class="message">
            {message.text}
            {message.link ? <a href={message.link.to}>{message.link.words}</a> : null}
          </p>
        ) : null}
      </div>
      <div role="alert">
        {message?.isError ? (
          <p class="message error">
            {message.text}
            <button type="button" class="quiet" onClick={() => change({ message: null })}>
              Close
            </button>
          </p>
        ) : null}
      </div>
    </div>
  )
}
