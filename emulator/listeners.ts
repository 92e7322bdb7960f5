interface Listeners<Event> {
  emit(event: Event): void
  hasListeners(): boolean
  /** Adds a listener, which must not throw. The returned function removes it. */
  subscribe(listener: (event: Event) => void): () => void
}

export function createListeners<Event>(): Listeners<Event> {
  const listeners = new Set<(event: Event) => void>()
  return {
    emit(event: Event) {
      for (const listener of listeners) listener(event)
    },
    hasListeners: () => listeners.size > 0,
    subscribe(listener: (event: Event) => void) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}
