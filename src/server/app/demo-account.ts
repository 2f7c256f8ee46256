import type { DemoLogin } from '#contract/page-data.ts'
import { hasAccount } from '#server/areas/accounts/profile/repository.ts'
import type { Db } from '#server/platform/db/database.ts'

/**
 * The demo owner, at an address that can belong to nobody (RFC 2606). Everybody knows the password, so the account
 * exists only outside production on a loopback bind.
 */
export const DEMO_LOGIN: DemoLogin = { email: 'demo@example.com', password: 'meridian-demo' }

/** How the demo practice is looked at; null where there is none. */
export async function findDemoLogin(db: Db): Promise<DemoLogin | null> {
  return (await hasAccount(db, DEMO_LOGIN.email)) ? DEMO_LOGIN : null
}

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
