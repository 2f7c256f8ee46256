import { equal, ok } from 'node:assert/strict'
import { type Interval, overlaps } from '#core/shared/interval.ts'
import { addDays } from '#core/shared/zoned-time.ts'
import { type Database, openDatabase } from '#server/platform/db/database.ts'
import { freeTime } from '#tests/support/free-time.ts'
import { createDatabase, startPostgres } from '#tests/support/postgres-server.ts'
import { readNumber, readRows } from '#tests/support/race-track.ts'
import { startServer, startWorker } from '#tests/support/server-process.ts'
import { type Acknowledged, startBookingLoad } from './booking-load.ts'
import { makeConnectedPractice } from './connected-practice.ts'
import { type EventThere, startGoogle } from './google-stand-in.ts'
import { startMailCounter } from './mail-counter.ts'
import { readOffers, watchOffers } from './offer-watch.ts'
import { type GateState, startProviderGate } from './provider-gate.ts'
import { type Counts, runProof } from './run-proof.ts'

/**
 * One web process and two workers on one PostgreSQL server, whose owner's calendar is at a provider that is away for a minute
 * under bookings, in each way in which a provider can be away. A worker is killed meanwhile. Every appointment is written there
 * once, nothing is offered or booked that was busy in the last copy, and a fresh copy costs a booking next to nothing.
 */
const ACCOUNT = 'owner@gmail.example'
/** How long bookings are measured, without an external calendar and with a fresh copy of one. */
const MEASURED_MS = 20_000
/** The first bookings of new processes are slow whatever they do. */
const WARM_UP_MS = 5_000
/** How the provider is away, one after the other: a minute. */
const OUTAGE: readonly { readonly state: GateState; readonly lastsMs: number }[] = [
  { state: 'loses_answers', lastsMs: 10_000 },
  { state: 'refuses', lastsMs: 20_000 },
  { state: 'hangs', lastsMs: 20_000 },
  { state: 'fails', lastsMs: 10_000 },
]
const BACK_MS = 10_000
/** Pauses grow while a provider is away, to five minutes at most (rules G11 and G15). */
const CATCH_UP_LIMIT_MS = 400_000
/** How long nothing may change any more, so that all is written. */
const SETTLED_MS = 10_000
/** Of the 95th percentile. */
const MOST_DELAY_MS = 100
/** A load that leaves the processor room: the machine is also the provider, the customers and the mail server. */
const CLIENTS = 4
/** The copy may be as old as this without being asked about (rule G7). */
const FRESH_MS = 60_000
/** Days that customers look at, in the weeks in which the load books and beyond. */
const WATCHED_DAYS = 70

await runProof(async (counts) => {
  const [postgres, mails] = await Promise.all([startPostgres(), startMailCounter()])
  const google = await startGoogle(postgres.url)
  const gate = await startProviderGate(google.settings.sandboxUrl)
  const standIn = { ...google.settings, sandboxUrl: gate.url }
  const shared = {
    DATABASE_URL: await createDatabase(postgres.url),
    SECRET_KEY: 'the secret key that all the processes share',
    DEFAULT_PLAN: 'enterprise',
  }
  const { plainSlugs, connectedSlugs } = await makeConnectedPractice(shared, standIn, ACCOUNT)
  await google.setZone(ACCOUNT, 'UTC')
  const day = freeTime(0).slice(0, 10)
  const repeats = { repeats: 'daily', times: '70' }
  await google.addEvent(ACCOUNT, { start: `${day}T12:00`, end: `${day}T13:00`, title: 'Lunch', ...repeats })
  const holiday = addDays(day, 2)
  await google.addEvent(ACCOUNT, { start: `${holiday}T00:00`, end: `${holiday}T00:00`, all_day: 'on' })

  const settings = {
    ...shared,
    NODE_ENV: 'production',
    DATABASE_POOL_SIZE: '10',
    SMTP_URL: mails.url,
    BASE_URL: 'https://book.example.org',
    LOG_LEVEL: 'fatal',
    GOOGLE_STAND_IN: JSON.stringify(standIn),
  }
  const entry = 'tests/prove/product-at-stand-in.ts'
  const web = await startServer('not used', { ...settings, ROLE: 'web' }, entry)
  const url = `http://127.0.0.1:${web.port}`
  google.notify(url)
  const startOne = () => startWorker(settings, entry)
  const workers = [startOne(), startOne()]
  const database = await openDatabase({ url: shared.DATABASE_URL, dataDir: 'not used', poolSize: 2 })
  await waitFor('the first sync', 60_000, async () => {
    const channels = await readNumber(database, 'select count(*) from sync_channels')
    return (
      channels > 0 && (await readCopy(database)).length === toBusy(await google.listEvents(ACCOUNT)).length
    )
  })

  // Without an external calendar, and then with a fresh copy of one.
  const plainLoad = startBookingLoad(url, plainSlugs, { clients: CLIENTS })
  await pause(WARM_UP_MS + MEASURED_MS)
  await plainLoad.over()
  const load = startBookingLoad(url, connectedSlugs, { clients: CLIENTS })
  const oldestCopyMs = await watchAge(database, WARM_UP_MS + MEASURED_MS)

  const copy = await readCopy(database)
  const dates = Array.from({ length: WATCHED_DAYS }, (_, i) => addDays(day, i))
  const watch = watchOffers(url, connectedSlugs, { dates, busy: copy })
  const awayFromMs = performance.now()
  await gate.turn('loses_answers')
  await pause(OUTAGE[0]?.lastsMs ?? 0)
  const lostAnswers = await countLostAnswers(database, await google.listEvents(ACCOUNT))
  await workers[0]?.end('SIGKILL')
  workers[0] = startOne()
  const takenThere = addDays(day, WATCHED_DAYS - 7)
  await google.addEvent(ACCOUNT, { start: `${takenThere}T00:00`, end: `${takenThere}T00:00`, all_day: 'on' })
  for (const { state, lastsMs } of OUTAGE.slice(1)) {
    await gate.turn(state)
    await pause(lastsMs)
  }
  await watch.over()
  const bookedUntilBack = load.booked.length
  const writtenUntilBack = (await google.listEvents(ACCOUNT)).filter(
    ({ appointmentId }) => appointmentId !== null,
  )
  const backAtMs = performance.now()
  await gate.turn('open')
  await pause(BACK_MS)
  await load.over()

  const acknowledged = load.booked.map(({ id }) => id).sort()
  const isWritten = async () => {
    const events = await google.listEvents(ACCOUNT)
    const written = new Set(events.map(({ appointmentId }) => appointmentId))
    const waiting = await readNumber(database, 'select count(*) from appointments where needs_google_sync')
    return waiting === 0 && acknowledged.every((id) => written.has(id))
  }
  await waitFor('every event', CATCH_UP_LIMIT_MS, isWritten).catch(() => {})
  const caughtUpMs = performance.now() - backAtMs
  const isTakenHere = async () => (await readOffers(url, connectedSlugs[0] ?? '', takenThere)).length === 0
  await waitFor('the sync', CATCH_UP_LIMIT_MS, isTakenHere).catch(() => {})
  const syncedMs = performance.now() - backAtMs
  const settled = JSON.stringify(await google.listEvents(ACCOUNT))
  await pause(SETTLED_MS)
  const events = await google.listEvents(ACCOUNT)
  const isSettled = JSON.stringify(events) === settled

  const ours = events.filter(({ appointmentId }) => appointmentId !== null)
  const stored = await readAppointments(database, connectedSlugs)
  const missing = acknowledged.filter(
    (id) => !ours.some((event) => event.appointmentId === id && isAsBooked(event, stored)),
  )
  const twice = ours.length - new Set(ours.map(({ appointmentId }) => appointmentId)).size
  const strangers = ours.filter(({ appointmentId }) => !acknowledged.includes(appointmentId ?? ''))
  const bookedBusy = [...stored.values()].filter((time) => copy.some((busy) => overlaps(time, busy)))
  const isBusy = (startsAt: string) =>
    copy.some((busy) => overlaps({ startMs: Date.parse(startsAt), endMs: Date.parse(startsAt) + 1 }, busy))
  const refusedBusy = load.refusedTimes.filter(isBusy).length
  const measured = ({ askedMs }: Acknowledged, fromMs: number) =>
    askedMs >= fromMs + WARM_UP_MS && askedMs < fromMs + WARM_UP_MS + MEASURED_MS
  const [plainFromMs, freshFromMs] = [plainLoad, load].map(({ booked }) => booked[0]?.askedMs ?? 0) as [
    number,
    number,
  ]
  const plain = plainLoad.booked.filter((booking) => measured(booking, plainFromMs))
  const fresh = load.booked.filter(
    (booking) => booking.askedMs < awayFromMs && measured(booking, freshFromMs),
  )
  const away = load.booked.filter(({ askedMs }) => askedMs >= awayFromMs && askedMs < backAtMs)
  const delayMs = p95(fresh) - p95(plain)
  Object.assign(counts, {
    'bookings acknowledged': acknowledged.length,
    'of them while it was away': away.length,
    'written there when it came back': writtenUntilBack.length,
    'written whose answer was lost': lostAnswers,
    'waiting when it came back': bookedUntilBack - writtenUntilBack.length,
    'events missing': missing.length,
    'events twice': twice,
    'events of nobody': strangers.length,
    'all written after (ms)': Math.round(caughtUpMs),
    'taken there meanwhile, taken here after (ms)': Math.round(syncedMs),
    'busy times in the copy': copy.length,
    'times offered': watch.offeredCount(),
    'of them busy': watch.wrongOffers.length,
    'booked and busy': bookedBusy.length,
    'refused because busy': refusedBusy,
    'other answers': load.oddAnswers.length + plainLoad.oddAnswers.length,
    'requests sent again': load.retryCount() + plainLoad.retryCount(),
    'oldest copy while fresh (ms)': oldestCopyMs,
    'bookings measured without a calendar': plain.length,
    'bookings measured with a fresh copy': fresh.length,
    'p95 without a calendar (ms)': p95(plain),
    'p95 with a fresh copy (ms)': p95(fresh),
    'p95 while it was away (ms)': p95(away),
    'longest wait while it was away (ms)': Math.round(Math.max(...away.map(({ waitedMs }) => waitedMs))),
    'connections turned away': gate.turnedAwayCount(),
  } satisfies Counts)

  ok(away.length > 100, 'there was a load while it was away')
  equal(
    [...load.oddAnswers, ...plainLoad.oddAnswers].join('\n'),
    '',
    'every answer is a booking or a refusal',
  )
  equal([...stored.keys()].sort().join('\n'), acknowledged.join('\n'), 'what was acknowledged is there')
  ok(lostAnswers > 0, 'some writes arrived there, and their answers did not arrive here')
  ok(gate.turnedAwayCount() > 0, 'the product asked meanwhile')
  equal(missing.join('\n'), '', 'every appointment is there at its time')
  equal(twice, 0, 'none is there twice')
  equal(strangers.length, 0, 'nothing else was written')
  ok(isSettled, 'nothing is written again and again')
  ok(watch.offeredCount() > 1_000, 'times were offered')
  equal(watch.wrongOffers.join('\n'), '', 'nothing is offered that was busy')
  ok(refusedBusy > 10, 'customers wanted busy times')
  equal(bookedBusy.length, 0, 'nothing is booked that was busy')
  ok(oldestCopyMs < FRESH_MS, 'the copy was fresh while bookings were measured')
  ok(plain.length > 50 && fresh.length > 50, 'there is enough to compare')
  ok(delayMs <= MOST_DELAY_MS, `a fresh copy delays a booking by ${delayMs} ms at most`)
  ok(await isTakenHere(), 'what was added there meanwhile is taken here')

  await database.close()
  const endings = await Promise.all([web, ...workers].map(({ end }) => end('SIGTERM')))
  for (const { code } of endings) equal(code, 0, 'they stop cleanly')
  await Promise.all([gate.stop(), google.stop(), mails.stop()])
  await postgres.remove()
})

/** What is busy in our copy. */
async function readCopy(database: Database): Promise<Interval[]> {
  return (await readRows(database, 'select starts_at, ends_at from external_busy_times')).map(toInterval)
}

/** Events that a person has there. */
function toBusy(events: readonly EventThere[]): EventThere[] {
  return events.filter(({ appointmentId, isCancelled }) => appointmentId === null && !isCancelled)
}

/** The greatest age of the copy in this time, looked at four times a second. */
async function watchAge(database: Database, durationMs: number): Promise<number> {
  const age =
    'select extract(epoch from now() - min(synced_at)) * 1000 from external_calendars where sync_cursor is not null'
  let oldestMs = 0
  for (const endMs = performance.now() + durationMs; performance.now() < endMs; await pause(250)) {
    oldestMs = Math.max(oldestMs, await readNumber(database, age))
  }
  return Math.round(oldestMs)
}

/** Events that are there while the product does not know that they are. */
async function countLostAnswers(database: Database, events: readonly EventThere[]): Promise<number> {
  const known = await readRows(database, 'select appointment_id from appointment_events')
  const ids = new Set(known.map(({ appointment_id }) => appointment_id))
  return events.filter(({ appointmentId }) => appointmentId !== null && !ids.has(appointmentId)).length
}

/** The times of the appointments that stand. */
async function readAppointments(
  database: Database,
  slugs: readonly string[],
): Promise<Map<string, Interval>> {
  const rows = await readRows(
    database,
    `select appointments.id, starts_at, ends_at from appointments join calendars on calendars.id = calendar_id
     where slug = any ($1) and appointments.status = 'confirmed'`,
    [slugs],
  )
  return new Map(rows.map((row) => [String(row.id), toInterval(row)]))
}

function isAsBooked(event: EventThere, stored: ReadonlyMap<string, Interval>): boolean {
  const time = stored.get(event.appointmentId ?? '')
  return !event.isCancelled && event.startMs === time?.startMs && event.endMs === time.endMs
}

function toInterval({ starts_at, ends_at }: Record<string, unknown>): Interval {
  // Of columns that are instants.
  return { startMs: (starts_at as Date).getTime(), endMs: (ends_at as Date).getTime() }
}

/** The wait that 95 of 100 customers do not exceed, in milliseconds. */
function p95(bookings: readonly Acknowledged[]): number {
  const waits = bookings.map(({ waitedMs }) => waitedMs).sort((a, b) => a - b)
  return Math.round(waits[Math.ceil(waits.length * 0.95) - 1] ?? Number.NaN)
}

/** @throws Error after `limitMs` */
async function waitFor(what: string, limitMs: number, isSo: () => Promise<boolean>): Promise<void> {
  for (const endMs = performance.now() + limitMs; performance.now() < endMs; await pause(500)) {
    if (await isSo()) return
  }
  throw new Error(`waited in vain for ${what}`)
}

function pause(durationMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, durationMs))
}
