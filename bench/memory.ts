import { addDays } from '#core/shared/zoned-time.ts'
import { findFreePort } from '#tests/support/free-port.ts'
import { startPostgres } from '#tests/support/postgres-server.ts'
import { runForJson, type ServerProgram } from './support/child-process.ts'
import { recordFigures } from './support/figures.ts'
import type { FullLoad, FullLoadResult } from './support/full-load.ts'
import { type Inspector, openInspector } from './support/inspector.ts'
import { appointmentTypeIdOf, seedPractices } from './support/practices.ts'
import { startMeasuredServer } from './support/product.ts'

/**
 * `node bench/memory.ts`: tests whether a web process on PostgreSQL leaks memory. Compares the heap after garbage collection at
 * request 20,000 and at request 100,000, of requests for slots, days, calendars, types and pages.
 */
const SIZE = { calendars: 100, appointments: 100, customers: 20 }
const FROM_REQUESTS = 20_000
const TO_REQUESTS = 100_000
const TO_REACH = 1.1

const server = await startPostgres()
let product: ServerProgram | undefined
try {
  const { firstDate } = await seedPractices({ url: server.url, dataDir: 'unused' }, SIZE)
  const inspectorPort = await findFreePort()
  product = await startMeasuredServer(server, [`--inspect=127.0.0.1:${inspectorPort}`])
  const inspector = await openInspector(inspectorPort)
  const requests = Array.from({ length: 500 }, (_, i) => {
    const calendar = 1 + (i % SIZE.calendars)
    const api = `/api/public/calendars/practice-${calendar}`
    const date = addDays(firstDate, i % 60)
    const type = `appointment_type_id=${appointmentTypeIdOf(calendar)}`
    const paths = [
      `${api}/slots?date=${date}&${type}`,
      `${api}/days?from=${date}&to=${addDays(date, 30)}`,
      api,
      `${api}/appointment-types`,
      `/book/practice-${calendar}`,
    ]
    return { path: paths[i % paths.length] ?? api }
  })
  let answered = 0
  const loadUntil = async (count: number) => {
    while (answered < count) {
      const load: FullLoad = { port: product?.port ?? 0, requests, connections: 50, seconds: 5 }
      const result = await runForJson<FullLoadResult>('bench/support/full-load.ts', load)
      if (result.refused > 0) throw new Error(`${result.refused} requests were refused`)
      answered += result.answered
    }
  }
  await loadUntil(FROM_REQUESTS)
  const beforeBytes = await measureHeap(inspector)
  await loadUntil(TO_REQUESTS)
  const afterBytes = await measureHeap(inspector)
  inspector.close()
  const ratio = afterBytes / beforeBytes
  const figure = {
    what: `heap of a web process after ${TO_REQUESTS} requests, against ${FROM_REQUESTS}`,
    measured: afterBytes / 2 ** 20,
    floor: beforeBytes / 2 ** 20,
    ratio,
    unit: 'MiB',
    toReach: `less than ${TO_REACH} × as large`,
    reached: ratio < TO_REACH,
  }
  await recordFigures('memory', [figure])
} finally {
  await product?.stop()
  await server.remove()
}

/** Collects twice, because objects finalised by the first collection are freed only by the second. */
async function measureHeap({ call }: Inspector): Promise<number> {
  for (let i = 0; i < 2; i++) await call('HeapProfiler.collectGarbage')
  const { usedSize } = await call('Runtime.getHeapUsage')
  return Number(usedSize)
}
