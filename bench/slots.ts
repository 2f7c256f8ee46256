import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addDays } from '#core/shared/calendar-date.ts'
import { startPostgres } from '#tests/support/postgres-server.ts'
import { compareResponses, storeResponses } from './support/answers.ts'
import { runForJson, type ServerProgram, startServerProgram } from './support/child-process.ts'
import { type Figure, recordFigures } from './support/figures.ts'
import {
  appointmentTypeIdOf,
  EXTERNAL_CALENDAR_SIZE,
  type SeededPractices,
  seedPractices,
} from './support/practices.ts'
import { startMeasuredServer } from './support/product.ts'
import { measureAlternately, median, medianRatio } from './support/rounds.ts'
import type { SteadyLoad, SteadyLoadResult } from './support/steady-load.ts'

/**
 * `node bench/slots.ts [server|embedded]`: measures requests for available times over HTTP, compared with a bare route that runs
 * one query.
 *
 * Uses a PostgreSQL server with a million appointments in a thousand calendars, or the embedded database with a hundred thousand
 * in a hundred: filling it further with its single thread would take ten minutes.
 */
const SIZES = {
  server: { calendars: 1_000, appointments: 1_000, customers: 50 },
  embedded: { calendars: 100, appointments: 1_000, customers: 50 },
} as const
const LOAD = { rounds: 5, connections: 50, seconds: 4 }
const PATHS = 400
const TO_REACH = 0.6
const TO_REACH_P99 = 3

const askedKind = process.argv[2]
for (const kind of ['server', 'embedded'] as const) {
  if (askedKind === undefined || askedKind === kind) await measureOn(kind)
}

async function measureOn(kind: 'server' | 'embedded'): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'meridian-bench-'))
  const server = kind === 'server' ? await startPostgres() : null
  const listeners: ServerProgram[] = []
  try {
    const dataDir = join(folder, 'data')
    const where = server === null ? { dataDir } : { url: server.url }
    const practices = await seedPractices({ dataDir, ...where }, SIZES[kind])
    const floorDir = join(folder, 'floor')
    if (server === null) await cp(dataDir, floorDir, { recursive: true })

    const product = await startMeasuredServer(where)
    listeners.push(product)
    const withExternal = { ...practices, calendars: EXTERNAL_CALENDAR_SIZE.calendars / 0.9 }
    const paths = {
      slots: listSlotsPaths(practices),
      days: listDaysPaths(practices),
      'slots, 2,000 external events': listSlotsPaths(withExternal),
      'days, 2,000 external events': listDaysPaths(withExternal),
    }
    const allPaths = Object.values(paths).flat()
    const answers = join(folder, 'answers.json')
    await storeResponses(product.port, allPaths, answers)
    const floor = await startServerProgram('bench/support/floor-slots.ts', {
      ANSWERS: answers,
      ...(server === null ? { DATA_DIR: floorDir } : { DATABASE_URL: server.url }),
    })
    listeners.push(floor)
    await compareResponses([product.port, floor.port], allPaths)

    const figures: Figure[] = []
    for (const [operation, asked] of Object.entries(paths)) {
      const requests = asked.map((path) => ({ path }))
      const [ofProduct = [], ofFloor = []] = await measureAlternately(
        [
          { name: 'product', listener: product, requests: () => requests },
          { name: 'floor', listener: floor, requests: () => requests },
        ],
        LOAD,
      )
      figures.push(toFigure(`GET …/${operation}, ${kind}, 50 connections`, ofProduct, ofFloor))
      if (operation === 'slots' && kind === 'server') {
        const perSecond = Math.floor(median(ofProduct) / 2)
        figures.push(await measureDelay([product, floor], paths.slots, perSecond))
      }
    }
    await recordFigures(`slots-${kind}`, figures)
  } finally {
    for (const listener of listeners) await listener.stop()
    await server?.remove()
    await rm(folder, { recursive: true, force: true })
  }
}

function toFigure(what: string, ofProduct: readonly number[], ofFloor: readonly number[]): Figure {
  const ratio = medianRatio(ofProduct, ofFloor)
  return {
    what,
    measured: median(ofProduct),
    floor: median(ofFloor),
    ratio,
    unit: 'requests/s',
    toReach: `at least ${TO_REACH} of the floor`,
    reached: ratio >= TO_REACH,
  }
}

/**
 * Measures the response times of Meridian and of the floor (the bare route) at the same rate: half of Meridian's maximum,
 * which is less than half of the floor's.
 */
async function measureDelay(
  listeners: readonly [product: ServerProgram, floor: ServerProgram],
  paths: readonly string[],
  perSecond: number,
): Promise<Figure> {
  const p99Ms: [number[], number[]] = [[], []]
  for (let round = 0; round < LOAD.rounds; round++) {
    for (const [i, { port }] of listeners.entries()) {
      const load: SteadyLoad = { port, paths, perSecond, seconds: LOAD.seconds }
      const result = await runForJson<SteadyLoadResult>('bench/support/steady-load.ts', load)
      if (result.refused > 0) throw new Error(`${result.refused} requests were refused`)
      p99Ms[i]?.push(result.p99Ms)
    }
  }
  const [measured, floor] = [median(p99Ms[0]), median(p99Ms[1])]
  return {
    what: `GET …/slots, server, p99 at ${perSecond} requests/s`,
    measured,
    floor,
    ratio: measured / floor,
    unit: 'ms',
    toReach: `at most ${TO_REACH_P99} × the floor`,
    reached: measured <= TO_REACH_P99 * floor,
  }
}

/** One working day of each of many calendars, in an order that defeats caches. */
function listSlotsPaths({ calendars, firstDate }: SeededPractices): string[] {
  return Array.from({ length: PATHS }, (_, i) => {
    const calendar = toCalendar(i, calendars)
    const date = addDays(firstDate, (i % 8) * 7 + (i % 5))
    return `/api/public/calendars/practice-${calendar}/slots?date=${date}&appointment_type_id=${appointmentTypeIdOf(calendar)}`
  })
}

/** Ranges of 31 days with 500 appointments each. */
function listDaysPaths({ calendars, firstDate }: SeededPractices): string[] {
  return Array.from({ length: PATHS }, (_, i) => {
    const calendar = toCalendar(i, calendars)
    const from = addDays(firstDate, 1 + (i % 28))
    const range = `from=${from}&to=${addDays(from, 30)}`
    return `/api/public/calendars/practice-${calendar}/days?${range}&appointment_type_id=${appointmentTypeIdOf(calendar)}`
  })
}

/** Picks calendars without a location, which are the first nine tenths, in scattered order. */
function toCalendar(i: number, calendars: number): number {
  return 1 + ((i * 7_919) % (calendars * 0.9))
}
