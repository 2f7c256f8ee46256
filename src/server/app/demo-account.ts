/** The demo owner; an address that can belong to nobody (RFC 2606). */
export const DEMO_EMAIL = 'demo@example.com'

/** Production was pointed at a database that has the demo account. */
export class DemoAccountError extends Error {
  constructor() {
    super(
      'This database has the demo account, whose password everybody knows. ' +
        'Production needs a database of its own: set DATABASE_URL or DATA_DIR to another one.',
    )
    this.name = 'DemoAccountError'
  }
}
