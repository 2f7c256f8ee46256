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
import { recordQueries } from '#tests/support/record-queries.ts'
import { NOW_MS, OWNER_ID, seedAppointments } from './seed-appointments.ts'

/**
 * How long an owner's list takes at size: `node bench/appointment-list.ts [calls]`.
 *
 * 200,000 appointments of 20,000 customers in one calendar, half of them past, beside a neighbour of 100,000, in the
 * embedded database on disk, vacuumed by the product's own housekeeping. Every figure is through the use case, in
 * milliseconds: the time this process was busy, which is what counts, as the database is a part of it and whatever else
 * the machine does is not; and the time on the wall. Exits with 1 when a page is over its budget at the median.
 */
const CALLS = Number(process.argv[2] ?? 40)
const SIZE = { appointments: 200_000, customers: 20_000 }
const NEIGHBOUR = { appointments: 100_000, customers: 10_000 }
/** Issue "Long lists stay quick": first and last page, any page in the middle; and a search. */
const BUDGET_MS = { end: 50, middle: 150, search: 150 }

const dataDir = await mkdtemp(join(tmpdir(), 'meridian-bench-'))
const database = await openDatabase({ dataDir, poolSize: 1 })
let isOver = false
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

  for (const search of ['', 'e', 'ada', 'lovelace 12', 'person12345@', 'BK-1700', 'nobody at all']) {
    console.log(search === '' ? '\nwithout a search' : `\nsearch "${search}"`)
    for (const filter of ['upcoming', 'past', 'all'] as const) {
      const { total } = await list(filter, 1, search)
      const pages = Math.max(1, Math.ceil(total / LIMITS.pageSize))
      for (const [name, page] of pagesOf(pages)) {
        const budgetMs =
          search !== '' ? BUDGET_MS.search : name === 'middle' ? BUDGET_MS.middle : BUDGET_MS.end
        print(
          `${filter}, ${name} page (${page} of ${pages})`,
          await measure(() => list(filter, page, search)),
          budgetMs,
        )
      }
    }
  }

  const recorded = recordQueries(database.db)
  for (const [filter, page, search] of [
    ['upcoming', 1, ''],
    ['all', 10_000, ''],
    ['upcoming', 2_500, 'e'],
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
  await rm(dataDir, { recursive: true, force: true })
}
console.log(isOver ? '\nOVER BUDGET' : '\nwithin budget')
process.exitCode = isOver ? 1 : 0

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

function print(label: string, { busy, busyP95, wall }: Times, budgetMs?: number): void {
  const over = budgetMs !== undefined && busy > budgetMs
  if (over) isOver = true
  const budget = budgetMs === undefined ? '' : `  of ${budgetMs}${over ? '  OVER' : ''}`
  const figures = [busy, busyP95, wall].map((ms) => ms.toFixed(1).padStart(7))
  console.log(`  ${label.padEnd(42)}${figures[0]}  p95 ${figures[1]}  wall ${figures[2]}${budget}`)
}

function seconds(sinceMs: number): string {
  return ((performance.now() - sinceMs) / 1_000).toFixed(0)
}
