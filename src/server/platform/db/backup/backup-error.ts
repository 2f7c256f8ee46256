/** A backup that cannot be made or restored, with the sentence that says why. */
export class BackupError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'BackupError'
  }
}
