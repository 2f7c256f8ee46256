import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DAY_MS } from '#core/shared/duration.ts'
import { getInsights, type InsightsDeps } from '#server/features/insights/use-cases.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import { openDatabase } from '#server/platform/db/database.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { NOW_MS, OWNER_ID, seedAppointments } from './seed-appointments.ts'
import { keepFigures } from './support/figures.ts'

/**
 * What the charts of one calendar cost: `node bench/insights.ts`. 20,000 appointments of 4,000 customers in 24 months, in the embedded
 * database, which serves nobody else meanwhile: the time this process was busy. Neither vacuumed nor analysed, which is its
 * worst day.
 */
const SIZE = { appointments: 20_000, customers: 4_000 }
/** By then all of them are over, and within the months that are asked for. */
const AFTER_ALL_MS = 75 * DAY_MS
const CALLS = 15
const TO_REACH_MS = 400

const dataDir = await mkdtemp(join(tmpdir(), 'meridian-bench-'))
const database = await openDatabase({ dataDir, poolSize: 1 })
const busy: number[] = []
try {
  await migrate(database.db)
  const calendarId = await seedAppointments(database, SIZE)
  const deps: InsightsDeps = {
    db: database.db,
    now: () => NOW_MS + AFTER_ALL_MS,
    baseUrl: 'http://localhost',
  }
  // Only a session makes the brand otherwise.
  const ask = () => getInsights(deps, OWNER_ID as OwnerId, { calendarId, months: '24' })
  const { appointments } = await ask()
  console.log(`${appointments} appointments stand in these months`)
  for (let i = 0; i < CALLS; i += 1) {
    const began = process.cpuUsage()
    await ask()
    const { user, system } = process.cpuUsage(began)
    busy.push((user + system) / 1_000)
  }
} finally {
  await database.close()
  await rm(dataDir, { recursive: true, force: true })
}

const median = busy.sort((a, b) => a - b)[Math.floor(CALLS / 2)] ?? Number.NaN
await keepFigures('insights', [
  {
    what: 'insights of a calendar with 20,000 appointments, 24 months, embedded',
    measured: median,
    floor: null,
    ratio: null,
    unit: 'ms',
    toReach: `at most ${TO_REACH_MS} ms`,
    reached: median <= TO_REACH_MS,
  },
])
