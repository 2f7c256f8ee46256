import { GENEROUS_BUDGETS } from '#tests/support/generous-budgets.ts'
import { ensureWebBuild } from '#tools/web-build.ts'
import { type Listener, startListener } from './child-process.ts'
import { SECRET_KEY } from './secret-key.ts'

/** The web part of the product as in production, on a server, or all of it on the embedded database in `dataDir`. */
export async function startProduct(
  where: { readonly url: string } | { readonly dataDir: string },
  flags: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<Listener> {
  await ensureWebBuild()
  const database =
    'url' in where ? { DATABASE_URL: where.url, ROLE: 'web' } : { DATA_DIR: where.dataDir, ROLE: 'all' }
  return startListener(
    'src/server/main.ts',
    {
      NODE_ENV: 'production',
      BASE_URL: 'https://book.example.org',
      SECRET_KEY,
      // Nothing listens there. Where jobs are worked on they fail, and try again later.
      SMTP_URL: 'smtp://127.0.0.1:9',
      // What one address may ask for is for attackers.
      PUBLIC_REQUESTS_PER_MINUTE: '1000000',
      BUDGETS: GENEROUS_BUDGETS,
      ...database,
      ...env,
    },
    { flags },
  )
}
