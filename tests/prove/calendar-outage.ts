import { equal, ok } from 'node:assert/strict'
import { type Interval, overlaps } from '#core/shared/interval.ts'
import { addDays } from '#core/shared/zoned-time.ts'
import { type Database, openDatabase } from '#server/platform/db/database.ts'
import { nthFreeTime } from '#tests/support/free-time.ts'
import { createDatabase, startPostgres } from '#tests/support/postgres-server.ts'
import { queryNumber } from '#tests/support/race-track.ts'
import { startServer, startWorker } from '#tests/support/server-process.ts'
import { type AcknowledgedBooking, type BookingLoad, startBookingLoad } from './booking-load.ts'
import {
  type BusyTimeInCopy,
  countEventsWithLostResponse,
  filterPersonsEvents,
  isEventAtBookedTime,
  readActiveAppointmentTimes,
  readOldestSyncAge,
  readStoredBusyTimes,
} from './calendar-facts.ts'
import { type ConnectedPractice, makeConnectedPractice } from './connected-practice.ts'
import { startGoogleSandboxInThread } from './google-stand-in.ts'
import { startCountingMailServer } from './mail-counter.ts'
import { listOfferedTimes, watchOfferedTimes } from './offer-watch.ts'
import { type ProxyFault, startFaultyProviderProxy } from './provider-gate.ts'
import { type ResultFigures, runLongCheck } from './run-proof.ts'

/**
 * One web process and two workers on one PostgreSQL server take bookings while the provider of the owner's external calendar is
 * down for a minute, in every way in which a provider can fail. Meanwhile a worker is killed. Proves that every appointment is
 * written to the external calendar once, that no time is offered or booked that was busy in the last copy or that the owner's
 * other calendar has taken, and that a fresh copy hardly slows a booking.
 */
const ACCOUNT = 'owner@gmail.example'
/**
 * Rounds of bookings without an external calendar and with a fresh copy of one. They alternate, so that other load on the machine
 * affects both.
 */
const ROUNDS = 4
const ROUND_MS = 6_000
/** Time for bookings before the outage, in milliseconds, so that the outage interrupts writes in progress. */
const LEAD_MS = 3_000
/** The provider's faults during the outage, one after another. They last a minute in total. */
const OUTAGE: readonly { readonly state: ProxyFault; readonly lastsMs: number }[] = [
  { state: 'loses_answers', lastsMs: 10_000 },
  { state: 'refuses', lastsMs: 20_000 },
  { state: 'hangs', lastsMs: 20_000 },
  { state: 'fails', lastsMs: 10_000 },
]
const BACK_MS = 10_000
const FIRST_SYNC_LIMIT_MS = 60_000
/**
 * Maximum time until the copy is current again, in milliseconds. The sync is retried about a minute after its first failure (rule
 * G15), by a job that runs every minute.
 */
const CATCH_UP_LIMIT_MS = 180_000
/** Writing is complete when nothing has changed for this long, in milliseconds. */
const SETTLED_MS = 10_000
/** Maximum delay that a fresh copy may add to the 95th percentile of customers' waits, in milliseconds. */
const MOST_DELAY_MS = 100
/** Few enough to leave CPU time free: the same machine also runs the provider, the customers and the mail server. */
const CLIENTS = 4
/** Maximum age, in milliseconds, at which the copy is used without asking the provider (rule G7). */
const FRESH_MS = 60_000
/**
 * The first of the half hours that one calendar books alone and the other calendar then requests too. They lie after all times
 * that the loads book and the watch looks at.
 */
const CROSSED_FROM = 14 * 5 * 16
const CROSSED_MS = 6_000
/** Number of days that the watch looks at: the weeks in which the load books, and more. */
const WATCHED_DAYS = 70

await runLongCheck(async (counts, begin) => {
  const [postgres, mails] = await Promise.all([startPostgres(), startCountingMailServer()])
  const google = await startGoogleSandboxInThread(postgres.url)
  const gate = await startFaultyProviderProxy(google.settings.sandboxUrl)
  const standIn = { ...google.settings, sandboxUrl: gate.url }
  const shared = {
    DATABASE_URL: await createDatabase(postgres.url),
    SECRET_KEY: 'the secret key that all the processes share',
    DEFAULT_PLAN: 'enterprise',
  }
  const practice = await makeConnectedPractice(shared, standIn, ACCOUNT)
  const { connectedSlugs } = practice
  await google.setZone(ACCOUNT, 'UTC')
  const day = nthFreeTime(0).slice(0, 10)
  const repeats = { repeats: 'daily', times: '70' }
  await google.addEvent(ACCOUNT, { start: `${day}T12:00`, end: `${day}T13:00`, title: 'Lunch', ...repeats })
  const holiday = addDays(day, 2)
  await google.addEvent(ACCOUNT, { start: `${holiday}T00:00`, end: `${holiday}T00:00`, all_day: 'on' })

  begin()

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
  const isSynced = async () => {
    const channels = await queryNumber(database, 'select count(*) from sync_channels')
    const events = filterPersonsEvents(await google.listEvents(ACCOUNT))
    return channels > 0 && (await readStoredBusyTimes(database)).filter(isOfOthers).length === events.length
  }
  ok((await findTimeUntil(isSynced, FIRST_SYNC_LIMIT_MS)) !== null, 'the copy is made')

  const { plain, fresh, oldestCopyMs } = await measure(database, url, practice)

  const copy = await readStoredBusyTimes(database)
  const load = startBookingLoad(url, connectedSlugs, {
    clients: CLIENTS,
    firstCustomer: fresh.at(-1)?.customerCount() ?? 0,
  })
  await pause(LEAD_MS)
  const dates = Array.from({ length: WATCHED_DAYS }, (_, i) => addDays(day, i))
  const watch = watchOfferedTimes(url, connectedSlugs, { dates, busy: copy })
  const awayFromMs = performance.now()
  await gate.turn('loses_answers')
  await pause(OUTAGE[0]?.lastsMs ?? 0)
  const lostAnswers = await countEventsWithLostResponse(database, await google.listEvents(ACCOUNT))
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

  const acknowledged = [...fresh, load]
    .flatMap(toBooked)
    .map(({ id }) => id)
    .sort()
  const isWritten = async () => {
    const events = await google.listEvents(ACCOUNT)
    const written = new Set(events.map(({ appointmentId }) => appointmentId))
    const waiting = await queryNumber(database, 'select count(*) from appointments where needs_google_sync')
    return waiting === 0 && acknowledged.every((id) => written.has(id))
  }
  const isTakenHere = async () =>
    (await listOfferedTimes(url, connectedSlugs[0] ?? '', takenThere)).length === 0
  const [caughtUpMs, syncedMs] = await Promise.all([
    findTimeUntil(isWritten, CATCH_UP_LIMIT_MS, backAtMs),
    findTimeUntil(isTakenHere, CATCH_UP_LIMIT_MS, backAtMs),
  ])
  const settled = JSON.stringify(await google.listEvents(ACCOUNT))
  await pause(SETTLED_MS)
  const events = await google.listEvents(ACCOUNT)
  const isSettled = JSON.stringify(events) === settled

  const stored = await readActiveAppointmentTimes(database, connectedSlugs)
  const crossed = await cross(database, url, connectedSlugs)

  const ours = events.filter(({ appointmentId }) => appointmentId !== null)
  const missing = acknowledged.filter(
    (id) => !ours.some((event) => event.appointmentId === id && isEventAtBookedTime(event, stored)),
  )
  const twice = ours.length - new Set(ours.map(({ appointmentId }) => appointmentId)).size
  const strangers = ours.filter(({ appointmentId }) => !acknowledged.includes(appointmentId ?? ''))
  const away = load.booked.filter(({ askedMs }) => askedMs >= awayFromMs && askedMs < backAtMs)
  const bookedAway = new Set(away.map(({ id }) => id))
  // After a sync, the copy also contains the appointments of the owner's other calendar. They are busy only for later bookings.
  const bookedBusy = [...stored].filter(([id, time]) => {
    const busy = copy.filter((taken) => isOfOthers(taken) || (bookedAway.has(id) && taken.slug !== time.slug))
    return busy.some((taken) => overlaps(time, taken))
  })
  const others = copy.filter(isOfOthers)
  const refusedBusy = load.refusedTimes.filter((startsAt) => isWithin(Date.parse(startsAt), others)).length
  const loads = [...plain, ...fresh, load]
  const oddAnswers = loads.flatMap((each) => each.oddAnswers)
  // Drops the first round of each kind, which warms the processes up.
  const [unconnected, connected] = [plain, fresh].map((rounds) => rounds.slice(1).flatMap(toBooked))
  if (unconnected === undefined || connected === undefined) throw new Error('two kinds became fewer')
  const delayMs = p95(connected) - p95(unconnected)
  Object.assign(counts, {
    'bookings acknowledged': acknowledged.length,
    'of them while it was away': away.length,
    'written there when it came back': writtenUntilBack.length,
    'written whose answer was lost': lostAnswers,
    'waiting when it came back': bookedUntilBack - writtenUntilBack.length,
    'events missing': missing.length,
    'events twice': twice,
    'events of nobody': strangers.length,
    'all written after (ms)': caughtUpMs ?? 'never',
    'taken there meanwhile, taken here after (ms)': syncedMs ?? 'never',
    'busy times in the copy': others.length,
    'events of appointments in the copy': copy.length - others.length,
    'times offered': watch.offeredCount(),
    'of them busy': watch.wrongOffers.length,
    'booked and busy': bookedBusy.length,
    'refused because busy': refusedBusy,
    'booked alone, then wanted on the other calendar': crossed.booked.length,
    'of them booked twice': crossed.twice.length,
    'other answers': oddAnswers.length,
    'requests sent again': loads.reduce((sum, { retryCount }) => sum + retryCount(), 0),
    'oldest copy while fresh (ms)': oldestCopyMs,
    'bookings measured without a calendar': unconnected.length,
    'bookings measured with a fresh copy': connected.length,
    'p95 without a calendar (ms)': p95(unconnected),
    'p95 with a fresh copy (ms)': p95(connected),
    'p95 while it was away (ms)': p95(away),
    'longest wait while it was away (ms)': Math.round(Math.max(...away.map(({ waitedMs }) => waitedMs))),
    'connections turned away': gate.turnedAwayCount(),
  } satisfies ResultFigures)

  ok(away.length > 100, 'there was a load while it was away')
  equal(oddAnswers.join('\n'), '', 'every answer is a booking or a refusal')
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
  ok(crossed.booked.length > 5, 'one calendar booked alone')
  ok(crossed.askedCount > 0, 'the other one booked beside them, and the provider was asked')
  equal(
    crossed.twice.join('\n'),
    '',
    'what one calendar has written is busy for the other one, also after a question',
  )
  ok(oldestCopyMs < FRESH_MS, 'the copy was fresh while bookings were measured')
  ok(unconnected.length > 50 && connected.length > 50, 'there is enough to compare')
  ok(delayMs <= MOST_DELAY_MS, `a fresh copy delays 95 of 100 bookings by ${delayMs} ms`)
  ok(caughtUpMs !== null, 'all is written in time')
  ok(syncedMs !== null, 'what was added there meanwhile is taken here in time')

  await database.close()
  const endings = await Promise.all([web, ...workers].map(({ end }) => end('SIGTERM')))
  for (const { code } of endings) equal(code, 0, 'they stop cleanly')
  await Promise.all([gate.stop(), google.stop(), mails.stop()])
  await postgres.remove()
})

/** True for an event that belongs to no appointment. */
function isOfOthers({ slug }: BusyTimeInCopy): boolean {
  return slug === null
}

type Measured = {
  /** The load of each round, in order. */
  readonly plain: readonly BookingLoad[]
  readonly fresh: readonly BookingLoad[]
  readonly oldestCopyMs: number
}

/** Takes bookings without an external calendar and with a fresh copy of one, in turns. */
async function measure(database: Database, url: string, practice: ConnectedPractice): Promise<Measured> {
  const plain: BookingLoad[] = []
  const fresh: BookingLoad[] = []
  const next = (slugs: readonly string[], before: BookingLoad | undefined) =>
    startBookingLoad(url, slugs, { clients: CLIENTS, firstCustomer: before?.customerCount() ?? 0 })
  let oldestCopyMs = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    const without = next(practice.plainSlugs, plain.at(-1))
    await pause(ROUND_MS)
    await without.over()
    plain.push(without)
    const connected = next(practice.connectedSlugs, fresh.at(-1))
    for (const endMs = performance.now() + ROUND_MS; performance.now() < endMs; await pause(250)) {
      oldestCopyMs = Math.max(oldestCopyMs, await readOldestSyncAge(database))
    }
    await connected.over()
    fresh.push(connected)
  }
  return { plain, fresh, oldestCopyMs: Math.round(oldestCopyMs) }
}

type Crossed = {
  /** The first calendar's bookings. */
  readonly booked: readonly AcknowledgedBooking[]
  /** Number of bookings on the second calendar. */
  readonly askedCount: number
  /** Ids of the second calendar's bookings at times of the first. */
  readonly twice: readonly string[]
}

/**
 * Lets the first calendar book alone, and waits until the copy contains its appointments. Once the copy is so old that the
 * product asks the provider, the second calendar books just before these times and then requests each of them.
 */
async function cross(database: Database, url: string, slugs: readonly string[]): Promise<Crossed> {
  const [first = [], second = []] = slugs.map((slug) => [slug])
  const firstCustomer = 2 * CROSSED_FROM
  const alone = startBookingLoad(url, first, { clients: 1, firstCustomer: firstCustomer + 2 })
  await pause(CROSSED_MS)
  await alone.over()
  const startsOf = async (booked: readonly AcknowledgedBooking[]) => {
    const stored = await readActiveAppointmentTimes(database, slugs)
    return booked.map(({ id }) => ({ id, startMs: stored.get(id)?.startMs ?? Number.NaN }))
  }
  const wanted = new Set((await startsOf(alone.booked)).map(({ startMs }) => startMs))
  const isHeld = async () => {
    const held = (await readStoredBusyTimes(database)).filter(({ slug }) => slug === first[0])
    return [...wanted].every((startMs) => held.some((time) => time.startMs === startMs))
  }
  ok((await findTimeUntil(isHeld, CATCH_UP_LIMIT_MS)) !== null, 'the copy has what one calendar booked alone')
  const isOld = async () => (await readOldestSyncAge(database)) > FRESH_MS
  ok((await findTimeUntil(isOld, CATCH_UP_LIMIT_MS)) !== null, 'the copy becomes old')
  const crossing = startBookingLoad(url, second, { clients: 1, firstCustomer })
  const isOver = async () => crossing.customerCount() > alone.customerCount()
  ok((await findTimeUntil(isOver, CATCH_UP_LIMIT_MS)) !== null, 'each of the times was wanted')
  await crossing.over()
  const twice = (await startsOf(crossing.booked)).filter(({ startMs }) => wanted.has(startMs))
  return {
    booked: alone.booked,
    askedCount: crossing.booked.length,
    twice: twice.map(({ id }) => id),
  }
}

function toBooked({ booked }: BookingLoad): readonly AcknowledgedBooking[] {
  return booked
}

function isWithin(momentMs: number, times: readonly Interval[]): boolean {
  return times.some(({ startMs, endMs }) => momentMs >= startMs && momentMs < endMs)
}

/** The 95th percentile of the customers' waits, in milliseconds. */
function p95(bookings: readonly AcknowledgedBooking[]): number {
  const waits = bookings.map(({ waitedMs }) => waitedMs).sort((a, b) => a - b)
  return Math.round(waits[Math.ceil(waits.length * 0.95) - 1] ?? Number.NaN)
}

/** Milliseconds from `fromMs` until the condition became true; null when it did not within `limitMs`. */
async function findTimeUntil(
  isSo: () => Promise<boolean>,
  limitMs: number,
  fromMs = performance.now(),
): Promise<number | null> {
  for (const endMs = performance.now() + limitMs; performance.now() < endMs; await pause(500)) {
    if (await isSo()) return Math.round(performance.now() - fromMs)
  }
  return null
}

function pause(durationMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, durationMs))
}
