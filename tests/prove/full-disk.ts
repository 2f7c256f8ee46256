import { equal, match, ok } from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { openDatabase } from '#server/platform/db/database.ts'
import { makeCalendar, makeOwner, startMeridian, TEST_SECRET_KEY } from '#tests/support/meridian.ts'
import { startPostgres } from '#tests/support/postgres-server.ts'
import { type BookingRush, makePracticeFolder, startBookingRush } from '#tests/support/practice-folder.ts'
import { runServer, type ServerProcess, startServer } from '#tests/support/server-process.ts'
import { mountSmallDisk, type SmallDisk } from '#tests/support/small-disk.ts'
import { listCompleteAppointments } from '#tests/support/whole-appointments.ts'
import { IS_DRY_RUN, type ResultFigures, runLongCheck } from './run-proof.ts'

/**
 * The disk runs full during bookings. Proves that every failed request is told to try again shortly, that nothing is stored
 * partially, and that every confirmed booking exists. When there is room again, Meridian continues without a restart. A restart
 * is needed only if the database could not write its log, because it then shuts down.
 */
const DISK_MB = 400
const BOOKINGS = 10
/** Less than one segment of the database's log, 16 MB, so that the next segment does not fit while rows still do. */
const LEFT_FOR_ROWS_BYTES = 3_000_000
const WATCH_MS = 5_000

await runLongCheck(async (counts, begin) => {
  const embedded = await setUpEmbedded()
  const onServer = await setUpServer()
  begin()
  await proveEmbedded(counts, embedded)
  await proveServer(counts, onServer)
})

/** A dry run does not fill the disk, so an ordinary folder will do and root is not needed. */
async function makeDisk(): Promise<SmallDisk> {
  if (!IS_DRY_RUN) return mountSmallDisk(DISK_MB)
  return { folder: tmpdir(), fill() {}, free() {}, remove() {} }
}

async function setUpEmbedded() {
  const disk = await makeDisk()
  const practice = await makePracticeFolder(null, disk.folder)
  return { disk, practice }
}

async function proveEmbedded(
  counts: ResultFigures,
  { disk, practice }: Awaited<ReturnType<typeof setUpEmbedded>>,
): Promise<void> {
  let server = await startServer(practice.dataDir)
  const booked = await fillAndFree('embedded', { counts, disk, server, slug: practice.slug })

  disk.fill(LEFT_FOR_ROWS_BYTES)
  const last = startBookingRush(server, practice.slug)
  await last.ended()
  const ending = await server.ended
  expectTriedLater(last)
  equal(ending.code, 1, 'the process ends when its database has ended itself')
  match(ending.stdout, /the database has ended itself.*start it when there is room/)
  const meanwhile = await runServer({ DATA_DIR: practice.dataDir, PORT: '0' })
  equal(meanwhile.code, 1, 'it does not start without room')
  match(meanwhile.stderr, /^The database could not be opened \(.+\)/)

  disk.free()
  server = await startServer(practice.dataDir)
  booked.push(...last.booked, ...(await bookSome(server, practice.slug)))
  equal((await server.end('SIGTERM')).code, 0)
  const stored = await practice.inspect(listCompleteAppointments)
  Object.assign(counts, countLosses('embedded', booked, stored))
  equal(counts['embedded: lost'], 0)
  await practice.remove()
  disk.remove()
}

async function setUpServer() {
  const disk = await makeDisk()
  const postgres = await startPostgres(disk.folder)
  const open = () => openDatabase({ url: postgres.url, dataDir: 'not used', poolSize: 2 })
  const meridian = await startMeridian({
    database: await open(),
    env: { DATABASE_URL: postgres.url, ROLE: 'web' },
  })
  const { slug } = await makeCalendar(meridian, await makeOwner(meridian), { timezone: 'UTC' })
  await meridian.stop()
  return { disk, postgres, open, slug }
}

async function proveServer(
  counts: ResultFigures,
  { disk, postgres, open, slug }: Awaited<ReturnType<typeof setUpServer>>,
): Promise<void> {
  const server = await startServer('not used', {
    DATABASE_URL: postgres.url,
    SECRET_KEY: TEST_SECRET_KEY,
  })
  const booked = await fillAndFree('server', { counts, disk, server, slug })

  // The log has no room: the database server ends, cannot recover, and stays down until there is room and somebody starts it.
  disk.fill(LEFT_FOR_ROWS_BYTES)
  const last = startBookingRush(server, slug)
  await last.untilOdd()
  await last.over()
  expectTriedLater(last)
  disk.free()
  await postgres.stop()
  await postgres.start()
  booked.push(...last.booked, ...(await bookSome(server, slug)))
  equal((await server.end('SIGTERM')).code, 0)
  const database = await open()
  Object.assign(counts, countLosses('server', booked, await listCompleteAppointments(database)))
  equal(counts['server: lost'], 0)
  await database.close()
  await postgres.remove()
  disk.remove()
}

type Filling = {
  readonly counts: ResultFigures
  readonly disk: SmallDisk
  readonly server: ServerProcess
  readonly slug: string
}

/** Fills the disk to the last byte during bookings, makes room, and books again in the same process. */
async function fillAndFree(where: string, { counts, disk, server, slug }: Filling): Promise<string[]> {
  const before = await bookSome(server, slug)
  disk.fill()
  const full = startBookingRush(server, slug)
  await full.untilOdd()
  await new Promise((resolve) => setTimeout(resolve, WATCH_MS))
  await full.over()
  expectTriedLater(full)
  counts[`${where}: told to try later`] = full.oddAnswers.length
  disk.free()
  return [...before, ...full.booked, ...(await bookSome(server, slug))]
}

async function bookSome(server: ServerProcess, slug: string): Promise<readonly string[]> {
  const bookings = startBookingRush(server, slug)
  await bookings.until(BOOKINGS)
  await bookings.over()
  return bookings.booked
}

/** Expects that every response other than a booking asks the customer to try again later. */
function expectTriedLater({ oddAnswers }: BookingRush): void {
  const { status, title } = PROBLEMS['server.unavailable']
  for (const answer of oddAnswers) {
    ok(answer.startsWith(`${status} application/problem+json`) && answer.includes(title), answer)
  }
}

function countLosses(where: string, booked: readonly string[], stored: readonly string[]): ResultFigures {
  return {
    [`${where}: bookings acknowledged`]: booked.length,
    [`${where}: lost`]: booked.filter((id) => !stored.includes(id)).length,
    [`${where}: booked without an acknowledgement`]: stored.length - booked.length,
  }
}
