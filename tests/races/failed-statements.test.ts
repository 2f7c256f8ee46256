import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ACCOUNT_MAIL_JOB } from '#server/areas/accounts/sessions/jobs.ts'
import type { Database } from '#server/platform/db/database.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { makeCalendar, makeOwner, startMeridian, type TestMeridian } from '#tests/support/meridian.ts'
import { testOnEachDatabaseSetup } from '#tests/support/on-each-track.ts'
import { startOnPostgresServer } from '#tests/support/race-track.ts'

/**
 * After one failing statement, node-postgres over the embedded database once answered a later query with another query's row.
 * These tests make a statement fail in each way to use the database, and then expect the next ten results to be correct.
 */
const TRACKS = [
  { where: 'a server with a pool of 1', start: () => startOnPostgresServer({ poolSize: 1 }) },
  { where: 'a server with a pool of 10', start: () => startOnPostgresServer({ poolSize: 10 }) },
  { where: 'the embedded database', start: () => startMeridian() },
]

testOnEachDatabaseSetup(({ start }) => {
  let meridian: TestMeridian

  beforeAll(async () => {
    meridian = await start()
  })
  afterAll(() => meridian.stop())

  test.each(listWays())('ten answers are right after $failure', async ({ fail }) => {
    await expect(fail(meridian)).rejects.toThrow()
    await expectRightAnswers(meridian.database)
  })

  test('ten answers are right after failures of every kind at the same time', async () => {
    const failures = await Promise.allSettled(listWays().map(({ fail }) => fail(meridian)))
    expect(failures.map((failure) => failure.status)).toEqual(listWays().map(() => 'rejected'))
    await expectRightAnswers(meridian.database)
  })

  test('a refused request leaves the next ones right', async () => {
    const owner = await makeOwner(meridian, { tier: 'business' })
    const names = ['One', 'Two', 'Three']
    for (const name of names) await makeCalendar(meridian, owner, { name })
    const failing = { method: 'GET', url: `/api/calendars/${randomUUID()}`, cookie: owner.cookie } as const
    for (let i = 0; i < 10; i += 1) {
      const [refused, list] = await Promise.all([meridian.request(failing), owner.get('/api/calendars')])
      expect(refused.statusCode).toBe(404)
      expect(
        list
          .json()
          .calendars.map((calendar: { name: string }) => calendar.name)
          .sort(),
      ).toEqual(names.sort())
    }
  })
}, TRACKS)

/** PostgreSQL cannot store the character U+0000, not even in JSON. */
const UNSTORABLE = { name: '\u0000', email: 'zero@example.com' }

type Way = { readonly failure: string; readonly fail: (meridian: TestMeridian) => Promise<unknown> }

/** Lists failures in each phase of the protocol (parse, bind, execute), for each way to use the database. */
function listWays(): Way[] {
  return [
    { failure: 'a syntax error', fail: ({ database }) => database.execute('selec 1') },
    {
      failure: 'a value of the wrong kind',
      fail: ({ database }) => database.execute('select $1::int', ['x']),
    },
    { failure: 'a division by zero', fail: ({ database }) => database.execute('select 1 / $1::int', [0]) },
    { failure: 'too few values', fail: ({ database }) => database.execute('select $1::int, $2::int', [1]) },
    {
      failure: 'a query that breaks off in the middle of its rows',
      fail: ({ database }) =>
        database.execute('select 10 / (5 - i) from generate_series(1, $1::int) as i', [1_000]),
    },
    {
      failure: 'a failing query of the query builder',
      fail: ({ database }) =>
        database.db.selectFrom('calendars').selectAll().where('id', '=', 'no id').execute(),
    },
    {
      failure: 'a transaction with a failing statement',
      fail: ({ database }) =>
        inTransaction(database.db, async (trx) => {
          await sql`select 1`.execute(trx)
          await sql`select 1 / ${0}::int`.execute(trx)
        }),
    },
    {
      failure: 'a transaction that goes on after its failing statement',
      fail: ({ database }) =>
        inTransaction(database.db, async (trx) => {
          await sql`select 1 / ${0}::int`.execute(trx).catch(() => {})
        }),
    },
    {
      failure: 'a transaction that throws by itself',
      fail: ({ database }) =>
        inTransaction(database.db, async (trx) => {
          await sql`select 1`.execute(trx)
          throw new Error('changed its mind')
        }),
    },
    {
      failure: 'a constraint that refuses at the commit',
      fail: ({ database }) =>
        inTransaction(database.db, async (trx) => {
          const id = randomUUID()
          await trx
            .insertInto('profiles')
            .values({ id, email: `${id}@example.com`, full_name: 'Ada', avatar_url: null })
            .execute()
          // The calendar has no row in public_calendars, which the database checks only on commit.
          await sql`insert into calendars (id, user_id, host_id, slug, name) values (${id}, ${id}, ${id}, ${`no-${id}`}, 'X')`.execute(
            trx,
          )
        }),
    },
    {
      failure: 'a job that the database cannot store',
      fail: ({ jobs }) => jobs.send(ACCOUNT_MAIL_JOB, { kind: 'already_registered', ...UNSTORABLE }),
    },
    {
      failure: 'such a job inside a transaction',
      fail: ({ database, jobs }) =>
        inTransaction(database.db, (trx) =>
          jobs.insert(trx, ACCOUNT_MAIL_JOB, [{ kind: 'already_registered', ...UNSTORABLE }]),
        ),
    },
  ]
}

async function expectRightAnswers(database: Database): Promise<void> {
  for (let i = 0; i < 5; i += 1) {
    const { rows } = await database.execute('select $1::int as number, $2::text as word', [i, `word ${i}`])
    expect(rows).toEqual([{ number: i, word: `word ${i}` }])
  }
  const answers = await Promise.all(
    Array.from({ length: 5 }, (_, i) =>
      sql<{ number: number }>`select ${i}::int as number`.execute(database.db),
    ),
  )
  expect(answers.map(({ rows }) => rows)).toEqual([0, 1, 2, 3, 4].map((number) => [{ number }]))
}
