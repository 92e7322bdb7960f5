/** A buffer that retains the last `capacity` values, oldest first. */
export class RingBuffer<T> {
  readonly #capacity: number
  readonly #items: T[] = []
  #start = 0

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  get length(): number {
    return this.#items.length
  }

  /** Returns the value that was dropped for the new one, if any. */
  push(one: T): T | undefined {
    if (this.#items.length < this.#capacity) {
      this.#items.push(one)
      return undefined
    }
    const oldest = this.#items[this.#start]
    this.#items[this.#start] = one
    this.#start = (this.#start + 1) % this.#capacity
    return oldest
  }

  /** Index 0 is the oldest value, -1 the newest. */
  at(index: number): T | undefined {
    const count = this.#items.length
    const place = index < 0 ? count + index : index
    return place < 0 || place >= count ? undefined : this.#items[(this.#start + place) % count]
  }

  /** Returns the values after the first `skipped`. */
  from(skipped: number): T[] {
    const count = Math.max(0, this.#items.length - Math.max(0, skipped))
    return Array.from({ length: count }, (_nothing, index) => this.at(this.#items.length - count + index) as T)
  }

  clear(): void {
    this.#items.length = 0
    this.#start = 0
  }
}
