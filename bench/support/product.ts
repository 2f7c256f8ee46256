import { GENEROUS_BUDGETS } from '#tests/support/generous-budgets.ts'
import { ensureWebBuild } from '#tools/web-build.ts'
import { type ServerProgram, startServerProgram } from './child-process.ts'
import { SECRET_KEY } from './secret-key.ts'

/**
 * Starts Meridian's web process as in production on a database server, or all of Meridian on the embedded database in
 * `dataDir`.
 */
export async function startMeasuredServer(
  where: { readonly url: string } | { readonly dataDir: string },
  flags: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<ServerProgram> {
  await ensureWebBuild()
  const database =
    'url' in where ? { DATABASE_URL: where.url, ROLE: 'web' } : { DATA_DIR: where.dataDir, ROLE: 'all' }
  return startServerProgram(
    'src/server/main.ts',
    {
      NODE_ENV: 'production',
      BASE_URL: 'https://book.example.org',
      SECRET_KEY,
      // No server listens on this port. Jobs that send email fail, and are retried later.
      SMTP_URL: 'smtp://127.0.0.1:9',
      // Lifts the rate limits per address, because one address sends all requests.
      PUBLIC_REQUESTS_PER_MINUTE: '1000000',
      BUDGETS: GENEROUS_BUDGETS,
      ...database,
      ...env,
    },
    { flags },
  )
}
