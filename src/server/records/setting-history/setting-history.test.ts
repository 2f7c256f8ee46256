import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import type { SettingChange, SettingChangesResponse } from '#contract/calendars/setting-changes.ts'
import { KIND_OF_CALENDAR_COLUMN, KIND_OF_TABLE } from '#core/calendars/setting-kinds.ts'
import { DAY_MS } from '#core/shared/duration.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { setCalendarsPaused } from '#server/records/calendars/plan-repository.ts'
import { runHousekeeping } from '#server/records/housekeeping/jobs.ts'
import { calendar, meridian, owner, setUpCalendar } from '#tests/support/fixtures.ts'
import { bookAppointment, makeOwner, type TestOwner } from '#tests/support/meridian.ts'
import { addAppointmentType, addLocation } from '#tests/support/stored-rows.ts'

setUpCalendar({ env: { DEFAULT_PLAN: 'enterprise' } })
beforeEach(async () => {
  await meridian.database.execute('delete from setting_history where calendar_id = $1', [calendar.id])
})

const path = (rest: string) => `/api/calendars/${calendar.id}${rest}`

test('every change of a setting is recorded with who made it, before and after (rules C21 and C22)', async () => {
  const typeId = await addAppointmentType(meridian, calendar.id)
  const location = await addLocation(meridian, owner)
  await meridian.database.execute('delete from setting_history where calendar_id = $1', [calendar.id])
  const changes: [what: string, send: () => Promise<{ statusCode: number; body: string }>, after: object][] =
    [
      ['calendars', () => owner.patch(path(''), { name: 'New name' }), { name: 'New name' }],
      [
        'calendars',
        () => owner.patch(path('/slot-settings'), { buffer_time_minutes: 15 }),
        { buffer_time_minutes: 15 },
      ],
      [
        'availability',
        () => owner.post(path('/availability'), { day_of_week: 6, start_time: '10:00', end_time: '12:00' }),
        { day_of_week: 6, start_time: '10:00:00' },
      ],
      [
        'special_days',
        () =>
          owner.post(path('/special-days'), {
            first_date: '2027-02-01',
            last_date: '2027-02-02',
            note: 'Away',
            hours: [],
          }),
        { first_date: '2027-02-01', note: 'Away' },
      ],
      [
        'holiday_regions',
        () => owner.put(path('/holidays/region'), { country: 'DE', region: 'BY' }),
        { country: 'DE' },
      ],
      [
        'appointment_types',
        () => owner.patch(path(`/appointment-types/${typeId}`), { duration: 45 }),
        { duration: 45 },
      ],
      [
        'calendar_locations',
        () => owner.post(path('/locations'), { location_id: location }),
        { location_id: location },
      ],
      [
        'payment_settings',
        () => owner.patch(path('/payment-settings'), { paypal_mode: 'live' }),
        { paypal_mode: 'live' },
      ],
      [
        'external_calendar_settings',
        () => owner.patch(path('/external-calendars/settings'), { hide_customer: true }),
        { hide_customer: true },
      ],
    ]
  for (const [what, send, after] of changes) {
    const answer = await send()
    expect(answer.statusCode, `${what}: ${answer.body}`).toBeLessThan(300)
    const [newest] = (await read()).changes
    expect(newest?.by, what).toBe('you')
    expect(
      newest?.rows.map((row) => row.what),
      what,
    ).toContain(what)
    expect(newest?.rows.findLast((row) => row.what === what)?.after, what).toMatchObject(after)
  }
})

test('each table of settings has a trigger, and a kind for the filter', async () => {
  const { rows } = await meridian.database.execute(
    `select distinct relname from pg_trigger join pg_class on pg_class.oid = tgrelid where tgname = 'setting_history'`,
  )
  expect(rows.map(({ relname }) => relname).sort()).toEqual(
    [...Object.keys(KIND_OF_TABLE), 'calendars'].sort(),
  )
})

test('a new table with rows of a calendar gets the trigger, or is listed as one that holds no settings', async () => {
  const { rows } = await meridian.database.execute(
    `select relname from pg_class join pg_attribute on attrelid = pg_class.oid and attname = 'calendar_id'
     where relkind = 'r' and relnamespace = 'public'::regnamespace
       and not exists (select from pg_trigger where tgrelid = pg_class.oid and tgname = 'setting_history')
     order by relname`,
  )
  expect(rows.map(({ relname }) => relname)).toEqual(NO_SETTINGS)
})

/** The tables with rows of a calendar that hold what happens on it, and no settings. */
const NO_SETTINGS =
  'answers appointment_days appointment_events appointment_history appointment_messages appointment_people appointments awaited_event_turns branding_files calendar_authorizations calendar_feeds calendar_hosts customers event_secrets event_writes external_changes group_sessions holds idempotency_keys location_guests many_change_items many_changes page_problems payment_connections payment_transactions public_calendars refusals series setting_history setups waiting_entries waiting_free_times waiting_looks waiting_offers'.split(
    ' ',
  )

test('columns with secrets and keys of accounts never appear', async () => {
  const { rows } = await meridian.database.execute(
    `select relname || '.' || attname as name from pg_trigger
     join pg_class on pg_class.oid = tgrelid join pg_attribute on attrelid = pg_class.oid
     where tgname = 'setting_history' and attnum > 0 and not attisdropped
       and (atttypid = 'bytea'::regtype or attname ~ 'secret|token|encrypted|password|code$|key$|account|merchant|webhook|client_id')
       and position(attname::text in encode(tgargs, 'escape')) = 0`,
  )
  expect(rows).toEqual([])
  await meridian.database.execute(
    `insert into payment_settings (calendar_id, stripe_connected, stripe_account_id, paypal_client_id, paypal_client_secret_encrypted)
     values ($1, true, 'acct_secret', 'client_secret', 'sealed')`,
    [calendar.id],
  )
  expect(JSON.stringify(await read())).not.toMatch(/acct_secret|client_secret|encrypted/)
})

test('what no owner did is Meridian’s, also after an owner’s change on the same connection', async () => {
  await owner.patch(path(''), { name: 'By me' })
  await inTransaction(meridian.database.db, (trx) =>
    setCalendarsPaused(trx, owner.id as Parameters<typeof setCalendarsPaused>[1], {
      ids: [calendar.id],
      isPaused: true,
    }),
  )
  expect((await read()).changes).toMatchObject([
    { by: 'meridian', rows: [{ before: { is_paused: false }, after: { is_paused: true } }] },
    { by: 'you' },
  ])
})

test('a change that is rolled back, and a save that changes nothing, leave no history; neither does a booking', async () => {
  const refused = inTransaction(meridian.database.db, async (trx) => {
    await trx.updateTable('calendars').set({ name: 'Gone' }).where('id', '=', calendar.id).execute()
    throw new Error('rolled back')
  })
  await expect(refused).rejects.toThrow('rolled back')
  await owner.patch(path(''), { name: calendar.name })
  expect((await bookAppointment(meridian, calendar.slug)).statusCode).toBe(201)
  expect((await read()).changes).toEqual([])
})

test('what changes in one transaction is one change, and the filter keeps the rows of one kind', async () => {
  await owner.patch(path('/slot-settings'), {
    buffer_time_minutes: 15,
    booking_limits: [{ period: 'day', unit: 'appointments', most: 4 }],
  })
  await owner.patch(path(''), { name: 'Other' })
  const { changes } = await read()
  expect(changes.map(({ rows }) => rows.map(({ what }) => what).sort())).toEqual([
    ['calendars'],
    ['booking_limits', 'calendars'],
  ])
  expect((await read('?kind=availability')).changes).toHaveLength(1)
  expect((await read('?kind=general')).changes).toMatchObject([{ rows: [{ after: { name: 'Other' } }] }])
  expect((await read('?kind=branding')).changes).toEqual([])
})

test('the list is paged without gaps or repetitions, whole changes at a time', async () => {
  for (let i = 0; i < 45; i += 1) await owner.patch(path(''), { name: `Name ${i}` })
  const names: unknown[] = []
  let next: string | null = ''
  while (next !== null) {
    const page: SettingChangesResponse = await read(next && `?before=${next}`)
    names.push(...page.changes.map(({ rows }) => rows[0]?.after?.name))
    next = page.next
  }
  expect(names).toEqual(Array.from({ length: 45 }, (_, i) => `Name ${44 - i}`))
})

test('a calendar keeps the newest 20,000 rows, and each is small', async () => {
  await meridian.database.execute(
    `insert into setting_history (calendar_id, number, at, what, row_key, after)
     select $1, number, now(), 'calendars', '', '{}' from generate_series(1, 20000) as number`,
    [calendar.id],
  )
  const branding = { custom_css: `a { color: red }\n`.repeat(1_800), welcome_message: 'x'.repeat(19_000) }
  expect((await owner.patch(path('/branding'), branding)).statusCode).toBe(200)
  const { rows } = await meridian.database.execute(
    `select count(*)::integer, min(number)::integer, max(pg_column_size(after))::integer as size
     from setting_history where calendar_id = $1`,
    [calendar.id],
  )
  expect(rows).toEqual([{ count: 20_000, min: 2, size: expect.toSatisfy((size: number) => size < 4_000) }])
})

test('a change is deleted after 400 days', async () => {
  const { db } = meridian.database
  await owner.patch(path(''), { name: 'Old' })
  await meridian.database.execute('update setting_history set at = $1', [new Date(meridian.clock.ms)])
  await runHousekeeping({ db, now: () => meridian.clock.ms + 400 * DAY_MS })
  expect((await read()).changes).toHaveLength(1)
  await runHousekeeping({ db, now: () => meridian.clock.ms + 400 * DAY_MS + 1 })
  expect((await read()).changes).toEqual([])
})

test('a deleted calendar takes its history with it, and other owners read none of it', async () => {
  await addAppointmentType(meridian, calendar.id)
  const stranger = await makeOwner(meridian)
  expect((await stranger.get(path('/setting-changes'))).statusCode).toBe(403)
  expect((await owner.delete(path(''))).statusCode).toBe(204)
  const { rows } = await meridian.database.execute('select from setting_history where calendar_id = $1', [
    calendar.id,
  ])
  expect(rows).toEqual([])
})

test('a location that its owner changes is in the history of a calendar that shares it, without a name of that owner', async () => {
  const host = await makeOwner(meridian)
  const id = await addLocation(meridian, host, { shareable: true, sharing_code: `code-${randomUUID()}` })
  await meridian.database.execute('insert into location_guests (calendar_id, location_id) values ($1, $2)', [
    calendar.id,
    id,
  ])
  await meridian.database.execute(
    'insert into calendar_locations (calendar_id, id, location_id) values ($1, $2, $3)',
    [calendar.id, randomUUID(), id],
  )
  const changed = await changeLocation(host, id)
  expect(changed.statusCode, changed.body).toBe(200)
  const { changes, names } = await read()
  expect(changes[0]).toMatchObject({
    by: 'other',
    rows: [
      { what: 'locations', name: 'Harley Street', before: { exclusive: true }, after: { exclusive: false } },
    ],
  } satisfies { by: SettingChange['by']; rows: object[] })
  expect(JSON.stringify({ changes, names })).not.toContain(host.id)
})

function changeLocation(host: TestOwner, id: string) {
  return host.patch(`/api/locations/${id}`, { exclusive: false })
}

async function read(query = ''): Promise<SettingChangesResponse> {
  const answer = await owner.get(path(`/setting-changes${query}`))
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json()
}

test('the columns of a calendar with a kind of their own exist', async () => {
  const { rows } = await meridian.database.execute(
    `select attname from pg_attribute where attrelid = 'calendars'::regclass and attnum > 0 and not attisdropped`,
  )
  const columns = rows.map(({ attname }) => attname)
  expect(Object.keys(KIND_OF_CALENDAR_COLUMN).filter((column) => !columns.includes(column))).toEqual([])
})
