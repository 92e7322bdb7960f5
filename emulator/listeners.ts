interface Listeners<Event> {
  emit(event: Event): void
  isHeard(): boolean
  /** What is returned ends it. A listener must not throw. */
  subscribe(listener: (event: Event) => void): () => void
}

export function createListeners<Event>(): Listeners<Event> {
  const listeners = new Set<(event: Event) => void>()
  return {
    emit(event: Event) {
      for (const listener of listeners) listener(event)
    },
    isHeard: () => listeners.size > 0,
    subscribe(listener: (event: Event) => void) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}
