import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { LANGUAGE, LOCALE } from '#core/shared/locale.ts'
import { listSourceFiles } from './list-source-files.ts'
import { ROOT } from './run-tool.ts'
import { listBrokenRules, SOURCE_RULES } from './source-rules.ts'

const FEATURE = 'src/server/areas/appointments/bookings/use-cases.ts'
const SCREEN = 'src/web/areas/appointments/list/list-view.tsx'
const CONTRACT = 'src/contract/messages/contact.ts'
const ROUTES = 'src/server/areas/availability/locations/routes.ts'
const CORE = 'src/core/slots/open-slots.ts'

describe('the source rules, on planted lines', () => {
  const planted: readonly [rule: string, path: string, line: string][] = [
    ['no-pool-query', 'src/server/platform/db/database.ts', `await pool.query('select 1')`],
    ['no-pool-query', 'src/server/platform/db/database.ts', 'await this.pool.query<Row>(text)'],
    ['queries-only-in-platform-db', FEATURE, `const { rows } = await client.query('select 1')`],
    ['no-sql-outside-repositories', FEATURE, `await deps.db.selectFrom('calendars').selectAll().execute()`],
    ['no-sql-outside-repositories', FEATURE, `  .insertInto('appointments')`],
    ['no-sql-outside-repositories', 'src/server/app/compose.ts', 'await sql<Row>`select 1`.execute(db)'],
    ['no-clock-in-core', CORE, 'const now = Date.now()'],
    ['no-clock-in-core', CORE, 'const now = new Date()'],
    ['no-clock-in-core', CORE, 'const now = Temporal.Now.instant()'],
    ['no-clock-in-core', CORE, 'const suffix = Math.random()'],
    ['no-parsed-dates-in-core', CORE, `const day = new Date('2026-03-02')`],
    ['no-parsed-dates-in-core', CORE, 'const day = new Date(text)'],
    ['no-parsed-dates-in-core', CORE, 'const at = Date.parse(text)'],
    ['environment-only-in-config', FEATURE, 'const url = process.env.BASE_URL'],
    ['environment-only-in-config', FEATURE, 'const { env } = process'],
    ['one-client-of-a-request', FEATURE, 'const count = countOf(request.ip)'],
    ['one-client-of-a-request', FEATURE, '{ headers, ip, log }: FastifyRequest,'],
    ['one-client-of-a-request', FEATURE, 'const { ip } = request'],
    ['one-client-of-a-request', FEATURE, 'const { remoteAddress } = request.socket'],
    ['one-client-of-a-request', FEATURE, `const address = request.headers['x-forwarded-for']`],
    ['one-door-for-formats', SCREEN, `const format = new Intl.DateTimeFormat('en-US', { month: 'long' })`],
    ['one-door-for-formats', SCREEN, `<p>{total.toLocaleString('en-US')}</p>`],
    ['one-door-for-formats', SCREEN, `const half = hour < 12 ? 'AM' : 'PM'`],
    ['one-door-for-formats', SCREEN, '6 AM'],
    ['one-door-for-formats', SCREEN, 'description="Open from 9 AM to 5 PM."'],
    ['one-door-for-formats', SCREEN, `const isMorning = label.includes('AM')`],
    ['one-door-for-formats', SCREEN, '<Calendar locale="en-US" />'],
    ['one-door-for-formats', FEATURE, `return 'Paid were ' + (cents / 100).toFixed(2)`],
    ['one-door-for-formats', FEATURE, `const { timeZone } = new Intl.DateTimeFormat('en').resolvedOptions()`],
    ['one-door-for-formats', CORE, `const locale = 'en-GB'`],
    ['logical-sides', SCREEN, `<p className="mt-1 ml-2">`],
    ['logical-sides', SCREEN, `<p className="sm:text-left">`],
    ['logical-sides', SCREEN, `<p className="absolute -right-[3px]">`],
    ['logical-sides', SCREEN, `<p className="rounded-l border-r-2">`],
    ['texts-ids-and-instants-from-primitives', CONTRACT, 'name: z.string().max(60),'],
    ['texts-ids-and-instants-from-primitives', CONTRACT, `name: z.string('contact.name_required'),`],
    ['texts-ids-and-instants-from-primitives', CONTRACT, '  .string().trim()'],
    ['texts-ids-and-instants-from-primitives', CONTRACT, 'website: z.url().optional(),'],
    ['texts-ids-and-instants-from-primitives', CONTRACT, 'starts_at: z.iso.datetime({ offset: true }),'],
    ['texts-ids-and-instants-from-primitives', ROUTES, `const params = z.object({ id: z.uuid() })`],
    ['no-second-export', FEATURE, `export { lockLocation } from './repository.ts'`],
    ['no-second-export', FEATURE, 'export type {'],
    ['no-second-export', FEATURE, `export * from './repository.ts'`],
    ['addresses-from-the-table', SCREEN, `const path = '/api/calendars'`],
    ['addresses-from-the-table', SCREEN, 'await fetch(`/api/calendars`)'],
    ['addresses-from-the-table', ROUTES, `app.get('/api/locations', {`],
    ['no-inline-import-types', CORE, `type Rows = import('#server/platform/db/schema.ts').Schema`],
  ]

  test.each(planted)('%s stops a line in %s: %s', (rule, path, line) => {
    const broken = listBrokenRules([{ path, text: `const fine = 1\n${line}\n` }])
    expect(broken).toEqual([expect.stringContaining(`${rule}: ${path}:2 `)])
  })

  test('every rule is proven by a planted line', () => {
    const proven = new Set(planted.map(([rule]) => rule))
    expect(SOURCE_RULES.map(({ name }) => name).filter((name) => !proven.has(name))).toEqual([])
  })

  test.each([
    ['a comment', FEATURE, '// never pool.query(): see process.env'],
    ['a docstring', FEATURE, ' * Reads process.env like pool.query() did.'],
    ['a request with a query', 'src/server/records/slots/routes.ts', 'const { date } = request.query'],
    ['the client of a request', FEATURE, 'const { address } = clientOfRequest(request)'],
    ['a connection in platform/db', 'src/server/platform/db/database.ts', 'await client.query(text, values)'],
    [
      'SQL in a repository',
      'src/server/areas/appointments/bookings/repository.ts',
      `db.selectFrom('appointments')`,
    ],
    ['a date from milliseconds', CORE, 'const at = new Date(startsAtMs + offsetMs)'],
    ['a date from parts', CORE, 'const at = new Date(Date.UTC(year, month, 0))'],
    ['the settings', 'src/server/app/config.ts', 'const config = readConfig(process.env)'],
    ['the zone of the browser', SCREEN, 'Intl.DateTimeFormat().resolvedOptions().timeZone'],
    ['the door for dates', 'src/web/shared/format-instant.ts', 'new Intl.DateTimeFormat(locale, options)'],
    ['the language', 'src/core/shared/locale.ts', `export const LOCALE = 'en-US'`],
    ['a place in a picture', SCREEN, `return { cx: \`\${x.toFixed(2)}%\` }`],
    ['a logical side', SCREEN, `<p className="-ms-3 rounded-s border-e text-start">`],
    ['a text of an answer', CONTRACT, 'name: z.string().nullable(),'],
    ['a checked text that is an address', CONTRACT, 'website: line(LIMITS.url).pipe(z.url()),'],
    [
      'what the primitives are made of',
      'src/contract/shared/primitives.ts',
      'return z.uuid(unknown).toLowerCase()',
    ],
    ['an icon that points left', SCREEN, `import { ChevronLeft } from '#web/ui/icons/chevron-left.ts'`],
    ['a type', FEATURE, 'export type BookingsDeps = {'],
    ['a test', 'src/core/slots/open-slots.test.ts', 'const now = Date.now()'],
  ])('%s is fine', (_what, path, line) => {
    expect(listBrokenRules([{ path, text: line }])).toEqual([])
  })
})

test('this project breaks no source rule', async () => {
  const files = await listSourceFiles()
  expect(files.length).toBeGreaterThan(100)
  expect(listBrokenRules(files)).toEqual([])
})

/** These files are served unchanged and cannot import the constants, so the test compares them. */
test('pages and the worker that opens languages name those of the product', async () => {
  const read = (path: string) => readFile(join(ROOT, 'src/web', path), 'utf8')
  for (const entry of ['site', 'booking', 'app']) {
    expect(await read(`entries/${entry}/index.html`)).toContain(`<html lang="${LANGUAGE}"`)
  }
  const locales = [...(await read('public/warm-formats.js')).matchAll(/Format\('([^']+)'/g)]
  expect(locales.map(([, locale]) => locale)).toEqual([LOCALE, LOCALE])
})
