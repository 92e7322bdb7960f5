import { change, useStore } from '../store.ts'

/** What stands in the frame of every page: whether the device is reached, and what came of the last act. */

export function toMain(): void {
  document.getElementById('main')?.focus()
}

const CONNECTIONS = { connecting: 'connecting', live: 'live', lost: 'no connection, trying again' } as const

export function Connection() {
  const connection = useStore((state) => state.connection)
  return (
    // The longest of them keeps its room, so that nothing moves when the connection goes.
    <p class={`connection ${connection}`} data-longest={CONNECTIONS.lost}>
      <span role="status">{CONNECTIONS[connection]}</span>
    </p>
  )
}

export function Message() {
  const message = useStore((state) => state.message)
  return (
    <div class="message-place">
      <div role="status">{message && !message.isError ? <p class="message">{message.text}</p> : null}</div>
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
