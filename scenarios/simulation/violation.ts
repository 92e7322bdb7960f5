/** A broken promise of the service or the device. */
export class Violation extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'Violation'
  }
}
