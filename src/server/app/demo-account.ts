import type { DemoLogin } from '#contract/page-data.ts'
import type { Db } from '#server/platform/db/database.ts'

/** The demo owner; an address that can belong to nobody (RFC 2606). */
export const DEMO_EMAIL = 'demo@example.com'

/** Known to everybody: it exists only outside production on a loopback bind. */
export const DEMO_LOGIN: DemoLogin = { email: DEMO_EMAIL, password: 'meridian-demo' }

/** How the demo practice is looked at; null where there is none. */
export async function findDemoLogin(db: Db): Promise<DemoLogin | null> {
  const row = await db.selectFrom('profiles').select('id').where('email', '=', DEMO_EMAIL).executeTakeFirst()
  return row === undefined ? null : DEMO_LOGIN
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
