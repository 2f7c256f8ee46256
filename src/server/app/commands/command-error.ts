/** A command of the operator cannot be carried out. The message is all that they need to read. */
export class CommandError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'CommandError'
  }
}
