import { randomUUID } from 'node:crypto'
import { unzipSync } from 'fflate'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { CSV_BOM } from '#core/shared/csv.ts'
import { meridian, owner, setUpOwner } from '#tests/support/fixtures.ts'
import {
  bookAppointment,
  makeCalendar,
  makeOwner,
  TEST_PASSWORD,
  type TestOwner,
} from '#tests/support/meridian.ts'
import {
  addAppointments,
  addAppointmentType,
  addLocation,
  connectStripe,
  setPrimaryLocation,
} from '#tests/support/stored-rows.ts'
import { EXPORTED_TABLES, WITHHELD_TABLES } from './export-tables.ts'

let stranger: TestOwner
let calendar: Calendar
let files: Record<string, string>

/** Number of appointments: more than two pages, so that the export has to read several. */
const APPOINTMENTS = 1_203

setUpOwner({ owner: { name: 'Ada Lovelace', tier: 'business' } })
beforeAll(async () => {
  stranger = await makeOwner(meridian, { name: 'Some Stranger' })
  calendar = await fill(owner, 'Analytical Practice')
  await makeCalendar(meridian, owner, { name: 'Second Practice' })
  await fill(stranger, 'Secret Practice')
  const base = Date.parse('2024-01-01T00:00:00Z')
  const past = Array.from({ length: APPOINTMENTS }, (_, i) => ({
    startsAt: new Date(base + i * 3_600_000).toISOString(),
  }))
  await addAppointments(meridian, calendar.id, past)
  files = unzip(await askForExport(owner))
})

test('the archive has each table as JSON and as CSV, and a file that explains them', () => {
  const names = EXPORTED_TABLES.flatMap(({ name }) => [`${name}.json`, `${name}.csv`])
  expect(Object.keys(files)).toEqual(['README.txt', ...names])
  for (const { about } of EXPORTED_TABLES) expect(files['README.txt']).toContain(about)
  expect(files['README.txt']).toContain('2027-01-04T08:00:00.000Z')
})

test('everything of the owner is in it, once, and the same in both forms', () => {
  expect(read('profile')).toMatchObject([{ id: owner.id, email: owner.email, full_name: 'Ada Lovelace' }])
  expect(read('subscription')).toMatchObject([{ tier: 'business', ends_at: null }])
  expect(read('sessions')).toHaveLength(1)
  expect(read('locations')).toMatchObject([{ name: 'Harley Street' }])
  expect(read('calendars').map((row) => row.name)).toEqual(
    expect.arrayContaining(['Analytical Practice', 'Second Practice']),
  )
  expect(read('availability')).toHaveLength(10)
  expect(read('appointment-types')).toMatchObject([{ name: 'Consultation', duration: 30 }])
  expect(read('calendar-locations')).toMatchObject([{ calendar_id: calendar.id, is_primary: true }])
  expect(read('payment-settings')).toMatchObject([{ stripe_connected: true }])
  expect(read('customers').map((row) => row.name)).toEqual(expect.arrayContaining(['=HYPERLINK("x")']))
  const appointments = read('appointments')
  expect(appointments).toHaveLength(APPOINTMENTS + 1)
  expect(new Set(appointments.map((row) => row.id)).size).toBe(APPOINTMENTS + 1)
  expect(appointments.find((row) => row.description !== null)).toMatchObject({
    starts_at: '2027-01-04T09:00:00.000Z',
    description: 'A line, with "quotes"\nand another',
  })
  expect(read('transactions')).toMatchObject([{ amount_cents: 4_000, currency: 'eur' }])
  for (const { name, columns } of EXPORTED_TABLES) {
    const [head, ...lines] = readCsv(name)
    expect(head).toEqual(columns)
    expect(lines).toHaveLength(read(name).length)
    for (const line of lines) expect(line).toHaveLength(columns.length)
  }
})

test('what a customer typed is no formula in a spreadsheet', () => {
  const [head = [], ...lines] = readCsv('customers')
  const names = lines.map((line) => line[head.indexOf('name')])
  expect(names).toContain('\'=HYPERLINK("x")')
})

test('nothing that proves who somebody is leaves: no hash, no token, no secret', async () => {
  const { db } = meridian.database
  const account = await db
    .selectFrom('accounts')
    .select('password')
    .where('user_id', '=', owner.id)
    .executeTakeFirstOrThrow()
  const { rows } = await sql<{ token: string; id: string }>`
    select id, token from sessions where user_id = ${owner.id}`.execute(db)
  const everything = Object.values(files).join('\n')
  for (const secret of [account.password, rows[0]?.token, rows[0]?.id, 'sealed', 'app secret']) {
    expect(everything).not.toContain(String(secret))
  }
  for (const { columns } of EXPORTED_TABLES) {
    expect(columns.filter((column) => /password|token|secret|backup/.test(column))).toEqual([])
  }
})

test('nothing of somebody else is in it', () => {
  const everything = Object.values(files).join('\n')
  for (const foreign of [stranger.id, stranger.email, 'Secret Practice', 'Some Stranger']) {
    expect(everything).not.toContain(foreign)
  }
})

test('each column of each table with owners’ data is exported or withheld on purpose', async () => {
  const { rows } = await sql<{ table_name: string; columns: string[] }>`
    select table_name, array_agg(column_name::text) as columns from information_schema.columns
    where table_schema = 'public' group by table_name
    having bool_or(column_name in ('user_id', 'calendar_id')) or table_name = 'profiles'`.execute(
    meridian.database.db,
  )
  const known = EXPORTED_TABLES.map(({ table, columns, withheld }) => [table, [...columns, ...withheld]])
  const withheld = Object.keys(WITHHELD_TABLES)
  const stored = rows.filter(({ table_name }) => !withheld.includes(table_name))
  expect(Object.fromEntries(stored.map(({ table_name, columns }) => [table_name, columns.sort()]))).toEqual(
    Object.fromEntries(known.map(([table, columns]) => [table, [...(columns ?? [])].sort()])),
  )
})

test('an owner who has just begun gets an archive, too', async () => {
  const beginner = await makeOwner(meridian)
  const empty = unzip(await askForExport(beginner))
  expect(JSON.parse(empty['appointments.json'] ?? '')).toEqual([])
  expect(empty['customers.csv']).toBe(
    `${CSV_BOM}id,calendar_id,client_id,name,email,phone,notes,created_at,erased_at\r\n`,
  )
})

test('whoever only found an open window gets nothing', async () => {
  const answer = await askForExport(owner, 'not the password')
  expect(answer.statusCode).toBe(403)
  expect(answer.json()).toMatchObject({ code: 'account.wrong_password', errors: [{ path: 'password' }] })
})

test('while an archive is made, everybody else is answered', async () => {
  let done = false
  const exported = askForExport(owner).finally(() => {
    done = true
  })
  const answer = await stranger.get('/api/calendars')
  expect(answer.statusCode).toBe(200)
  expect(done).toBe(false)
  expect((await exported).statusCode).toBe(200)
})

test('it is a download that is not kept anywhere, a few times an hour for each owner', async () => {
  const curious = await makeOwner(meridian)
  const answers = []
  for (let i = 0; i < 6; i += 1) answers.push(await askForExport(curious))
  expect(answers[0]?.headers).toMatchObject({
    'content-type': 'application/zip',
    'content-disposition': 'attachment; filename="meridian-2027-01-04.zip"',
    'cache-control': 'no-store',
  })
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200, 429])
  expect(answers.at(-1)?.json()).toMatchObject({ code: 'request.too_many' })
  expect((await askForExport(stranger)).statusCode).toBe(200)
})

/** Creates a practice with one row in each table. */
async function fill(of: TestOwner, name: string): Promise<Calendar> {
  const { db } = meridian.database
  const filled = await makeCalendar(meridian, of, { name })
  await bookAppointment(meridian, filled.slug, {
    customer: { name: '=HYPERLINK("x")', email: 'grace@example.com' },
    description: 'A line, with "quotes"\nand another',
  })
  await addAppointmentType(meridian, filled.id)
  await setPrimaryLocation(meridian, filled.id, await addLocation(meridian, of))
  await connectStripe(meridian, filled.id)
  await sql`update payment_settings set paypal_client_secret_encrypted = 'sealed'`.execute(db)
  await sql`insert into two_factors (id, user_id, secret, backup_codes)
    values (${randomUUID()}, ${of.id}, 'app secret', 'app secret')`.execute(db)
  await sql`insert into payment_transactions (calendar_id, id, amount_cents, provider, status)
    values (${filled.id}, ${randomUUID()}, 4000, 'manual', 'completed')`.execute(db)
  return filled
}

function askForExport(of: TestOwner, password = TEST_PASSWORD) {
  return meridian.as(of).post('/api/profile/export', { password })
}

function unzip({ rawPayload }: { rawPayload: Buffer }): Record<string, string> {
  const entries = Object.entries(unzipSync(rawPayload))
  return Object.fromEntries(entries.map(([name, bytes]) => [name, Buffer.from(bytes).toString()]))
}

function read(name: string): Record<string, unknown>[] {
  return JSON.parse(files[`${name}.json`] ?? '')
}

/** Parses the cells of a CSV file according to RFC 4180. */
function readCsv(name: string): string[][] {
  const lines: string[][] = [[]]
  const records = files[`${name}.csv`]?.slice(CSV_BOM.length) ?? ''
  for (const [, quoted, plain, end] of records.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    lines.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '')
    if (end === '\r\n') lines.push([])
  }
  return lines.slice(0, -1)
}
