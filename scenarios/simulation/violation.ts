/** A broken promise. */
export class Violation extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'Violation'
  }
}
