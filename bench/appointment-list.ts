import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AppointmentFilter } from '#contract/appointments.ts'
import { LIMITS } from '#contract/limits.ts'
import { type AppointmentsDeps, listAppointments } from '#server/features/appointments/use-cases.ts'
import { keepHouse } from '#server/features/housekeeping/jobs.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import { openDatabase } from '#server/platform/db/database.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { startPostgres } from '#tests/support/postgres-server.ts'
import { recordQueries } from '#tests/support/record-queries.ts'
import { NOW_MS, OWNER_ID, seedAppointments } from './seed-appointments.ts'
import { type Figure, keepFigures } from './support/figures.ts'

/**
 * How long an owner's list takes at size: `node bench/appointment-list.ts [server|embedded]`.
 *
 * 200,000 appointments of 20,000 customers in one calendar, half of them past, beside a neighbour of 100,000, on a server
 * or in the embedded database on disk, vacuumed by the product's own housekeeping. Every figure is through the use case, in
 * milliseconds. On the embedded database what counts is the time this process was busy, as the database is a part of it
 * and whatever else the machine does is not; on a server the time on the wall.
 */
const KIND = process.argv[2] === 'server' ? 'server' : 'embedded'
const CALLS = 40
const SIZE = { appointments: 200_000, customers: 20_000 }
const NEIGHBOUR = { appointments: 100_000, customers: 10_000 }
/** Issue "Long lists stay quick": first and last page, any page in the middle; and a search. */
const BUDGET_MS = { end: KIND === 'server' ? 30 : 50, middle: 150, search: 150 }

const dataDir = await mkdtemp(join(tmpdir(), 'meridian-bench-'))
const server = KIND === 'server' ? await startPostgres() : null
const where = server === null ? { dataDir } : { dataDir, url: server.url, patient: true }
const database = await openDatabase({ ...where, poolSize: 1 })
/** The slowest median of each kind of page, in milliseconds. */
const slowest = { end: 0, middle: 0, search: 0 }
try {
  await migrate(database.db)
  const seeded = performance.now()
  const calendarId = await seedAppointments(database, SIZE)
  await seedAppointments(database, NEIGHBOUR)
  await keepHouse({ db: database.db, now: () => NOW_MS })
  console.log(
    `${SIZE.appointments} appointments, ${SIZE.customers} customers, made in ${seconds(seeded)} s; ${CALLS} calls each`,
  )

  const floor = await measure(() => tenById(calendarId))
  print('floor: ten appointments by their ids', floor)

  const deps: AppointmentsDeps = { db: database.db, now: () => NOW_MS, baseUrl: 'http://localhost' }
  // Only a session makes the brand otherwise.
  const ownerId = OWNER_ID as OwnerId
  const list = (filter: AppointmentFilter, page: number, search: string) =>
    listAppointments(deps, ownerId, { calendarId, filter, page, search })

  for (const search of [
    '',
    'e',
    'person1',
    'ada',
    'lovelace 12',
    'person12345@',
    'BK-1700',
    'nobody at all',
  ]) {
    console.log(search === '' ? '\nwithout a search' : `\nsearch "${search}"`)
    for (const filter of ['upcoming', 'past', 'all'] as const) {
      const { total } = await list(filter, 1, search)
      const pages = Math.max(1, Math.ceil(total / LIMITS.pageSize))
      for (const [name, page] of pagesOf(pages)) {
        const kind = search !== '' ? 'search' : name === 'middle' ? 'middle' : 'end'
        print(
          `${filter}, ${name} page (${page} of ${pages})`,
          await measure(() => list(filter, page, search)),
          kind,
        )
      }
    }
  }

  const recorded = recordQueries(database.db)
  for (const [filter, page, search] of [
    ['upcoming', 1, ''],
    ['all', 10_000, ''],
    ['upcoming', 2_500, 'person1'],
    ['past', 1, 'person12345@'],
  ] as const) {
    recorded.queries.length = 0
    await listAppointments({ ...deps, db: recorded.db }, ownerId, { calendarId, filter, page, search })
    console.log(`\nplans: ${filter}, page ${page}${search === '' ? '' : `, search "${search}"`}`)
    for (const { sql, parameters } of recorded.queries) {
      const { rows } = await database.execute(`explain (costs off) ${sql}`, parameters)
      console.log(rows.map((row) => `  ${row['QUERY PLAN']}`).join('\n'))
    }
  }
} finally {
  await database.close()
  await server?.remove()
  await rm(dataDir, { recursive: true, force: true })
}

await keepFigures(`appointment-list-${KIND}`, [
  toFigure('first and last page', 'end'),
  toFigure('a page in the middle', 'middle'),
  toFigure('a search', 'search'),
])

type PageKind = keyof typeof slowest

function toFigure(what: string, kind: PageKind): Figure {
  return {
    what: `owner's list of 200,000, ${KIND}: ${what}`,
    measured: slowest[kind],
    floor: null,
    ratio: null,
    unit: 'ms',
    toReach: `at most ${BUDGET_MS[kind]} ms`,
    reached: slowest[kind] <= BUDGET_MS[kind],
  }
}

/** First, a third, the middle, last. */
function pagesOf(pages: number): [name: string, page: number][] {
  if (pages === 1) return [['first', 1]]
  return [
    ['first', 1],
    ['middle', Math.ceil(pages / 3)],
    ['middle', Math.ceil(pages / 2)],
    ['last', pages],
  ]
}

async function tenById(calendarId: string): Promise<void> {
  await database.execute(
    `select * from appointments where calendar_id = $1
     and id in (select id from appointments where calendar_id = $1 limit 10)`,
    [calendarId],
  )
}

type Times = { readonly busy: number; readonly busyP95: number; readonly wall: number }

async function measure(call: () => Promise<unknown>): Promise<Times> {
  for (let i = 0; i < 3; i += 1) await call()
  const [busy, wall]: [number[], number[]] = [[], []]
  for (let i = 0; i < CALLS; i += 1) {
    const [beginWall, beginBusy] = [performance.now(), process.cpuUsage()]
    await call()
    const { user, system } = process.cpuUsage(beginBusy)
    busy.push((user + system) / 1_000)
    wall.push(performance.now() - beginWall)
  }
  return { busy: quantile(busy, 0.5), busyP95: quantile(busy, 0.95), wall: quantile(wall, 0.5) }
}

function quantile(times: readonly number[], share: number): number {
  const sorted = [...times].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

function print(label: string, { busy, busyP95, wall }: Times, kind?: PageKind): void {
  if (kind !== undefined) slowest[kind] = Math.max(slowest[kind], KIND === 'server' ? wall : busy)
  const budget = kind === undefined ? '' : `  of ${BUDGET_MS[kind]}`
  const figures = [busy, busyP95, wall].map((ms) => ms.toFixed(1).padStart(7))
  console.log(`  ${label.padEnd(42)}${figures[0]}  p95 ${figures[1]}  wall ${figures[2]}${budget}`)
}

function seconds(sinceMs: number): string {
  return ((performance.now() - sinceMs) / 1_000).toFixed(0)
}
