import type { DemoCredentials } from '#contract/pages/page-data.ts'
import { hasAccountWithEmail } from '#server/areas/accounts/profile/repository.ts'
import type { Db } from '#server/platform/db/database.ts'

/**
 * The demo owner's login, with an email address that cannot belong to anybody (RFC 2606). The password is public, so
 * the account exists only outside production on loopback.
 */
export const DEMO_LOGIN: DemoCredentials = { email: 'demo@example.com', password: 'meridian-demo' }

/** Returns the demo login; null when the demo account does not exist. */
export async function findDemoLogin(db: Db): Promise<DemoCredentials | null> {
  return (await hasAccountWithEmail(db, DEMO_LOGIN.email)) ? DEMO_LOGIN : null
}

/** Thrown when production is started on a database that contains the demo account. */
export class DemoAccountError extends Error {
  constructor() {
    super(
      'This database has the demo account, whose password everybody knows. ' +
        'Production needs a database of its own: set DATABASE_URL or DATA_DIR to another one.',
    )
    this.name = 'DemoAccountError'
  }
}
