import { randomUUID } from 'node:crypto'
import { openDatabase } from '#server/platform/db/database.ts'
import { findFreePort } from '#tests/support/free-port.ts'
import { startPostgres } from '#tests/support/postgres-server.ts'
import { serveFloor } from './floors/serve-floor.ts'
import { runForJson } from './support/child-process.ts'
import { keepFigures } from './support/figures.ts'
import { seedPractices } from './support/practices.ts'
import { startProduct } from './support/product.ts'
import { median } from './support/rounds.ts'
import type { SteadyLoad, SteadyLoadResult } from './support/steady-load.ts'

/**
 * How long a proxy waits that asks whether it may get a certificate, while somebody connects with random names:
 * `node bench/ask.ts`. Anybody can do that, so the answer must come from memory.
 */
const LOAD = { perSecond: 1_000, seconds: 5, status: 404 } as const
const ROUNDS = 5
const KNOWN_HOSTS = 1_000
const TO_REACH_MS = 5

const server = await startPostgres()
try {
  await seedPractices({ url: server.url, dataDir: '' }, { calendars: 50, appointments: 1, customers: 1 })
  await addHosts(server.url)
  const askPort = await findFreePort()
  const product = await startProduct({ url: server.url }, [], {
    ASK_PORT: String(askPort),
    CUSTOM_DOMAIN_CNAME: 'domains.example.org',
  })
  const floor = await serveFloor((_request, response) => response.writeHead(404).end())
  const ports = { product: askPort, floor: Number(new URL(floor.url).port) }
  const p99Ms = { product: [] as number[], floor: [] as number[] }
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const name of ['product', 'floor'] as const) {
      const paths = Array.from({ length: 10_000 }, () => `/ask?domain=${randomUUID()}.example`)
      const load: SteadyLoad = { ...LOAD, paths, port: ports[name] }
      const result = await runForJson<SteadyLoadResult>('bench/support/steady-load.ts', load)
      if (result.refused > 0) throw new Error(`${result.refused} requests had another answer`)
      // The first round warms up.
      if (round > 0) p99Ms[name].push(result.p99Ms)
    }
  }
  await floor.stop()
  await product.stop()
  const [measured, ofFloor] = [median(p99Ms.product), median(p99Ms.floor)]
  await keepFigures(
    'ask',
    [
      {
        what: `certificates of random names, p99 at ${LOAD.perSecond} questions/s`,
        measured,
        floor: ofFloor,
        ratio: measured / ofFloor,
        unit: 'ms',
        toReach: `less than ${TO_REACH_MS} ms`,
        reached: measured < TO_REACH_MS,
      },
    ],
    p99Ms,
  )
} finally {
  await server.remove()
}

/** As many of each calendar, all of them proven. */
async function addHosts(url: string): Promise<void> {
  const database = await openDatabase({ url, dataDir: '', poolSize: 1 })
  try {
    const calendars = await database.db.selectFrom('calendars').select('id').execute()
    const rows = Array.from({ length: KNOWN_HOSTS }, (_, i) => ({
      id: randomUUID(),
      host: `practice-${i}.example`,
      calendar_id: calendars[i % calendars.length]?.id ?? null,
      kind: 'custom' as const,
      // A calendar has one live host and any number of earlier ones.
      state: i < calendars.length ? ('live' as const) : ('retired' as const),
      challenge: `meridian-${i}`,
      verified_at: new Date(),
      last_checked_at: null,
      failing_since: null,
    }))
    await database.db.insertInto('calendar_hosts').values(rows).execute()
  } finally {
    await database.close()
  }
}
