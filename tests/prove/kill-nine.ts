import { equal, ok } from 'node:assert/strict'
import { makePracticeFolder, startBookingRush } from '#tests/support/practice-folder.ts'
import { queryNumber } from '#tests/support/race-track.ts'
import { startServer } from '#tests/support/server-process.ts'
import { listCompleteAppointments } from '#tests/support/whole-appointments.ts'
import { runLongCheck } from './run-proof.ts'

/**
 * Kills Meridian with its embedded database (`kill -9`) in the middle of bookings. Proves that it starts again without help
 * and has lost no confirmed booking.
 */
const ROUNDS = 20
/**
 * The number of bookings before the kill. It differs by round, so that each kill hits another moment in the life of a fresh
 * process.
 */
const BOOKINGS = { first: 5, more: 2 }

await runLongCheck(async (counts, begin) => {
  const practice = await makePracticeFolder(null)
  begin()
  const acknowledged = new Set<string>()
  let slowestStartMs = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    const server = await startServer(practice.dataDir)
    slowestStartMs = Math.max(slowestStartMs, server.readyAfterMs)
    const bookings = startBookingRush(server, practice.slug)
    await bookings.until(BOOKINGS.first + BOOKINGS.more * round)
    const { signal } = await server.end('SIGKILL')
    await bookings.over()
    equal(signal, 'SIGKILL')
    equal(bookings.oddAnswers.join('\n'), '', 'every answer is a booking')
    for (const id of bookings.booked) acknowledged.add(id)

    // Opening the database also proves that the killed process's lock is gone.
    const stored = new Set(await practice.inspect(listCompleteAppointments))
    const lost = [...acknowledged].filter((id) => !stored.has(id))
    Object.assign(counts, {
      rounds: round + 1,
      'bookings acknowledged': acknowledged.size,
      lost: lost.length,
      'slowest start (ms)': Math.round(slowestStartMs),
    })
    equal(lost.length, 0, 'no acknowledged booking is lost')
  }
  const stored = (await practice.inspect(listCompleteAppointments)).length
  const broken = await practice.inspect(async (database) => {
    // Rebuilding an index reads all its rows, and fails where two of them violate a constraint.
    await database.execute('reindex database')
    return queryNumber(
      database,
      `select count(*) from appointments a join appointments b
         on a.calendar_id = b.calendar_id and a.id < b.id and a.blocked && b.blocked`,
    )
  })
  equal(broken, 0)
  await practice.remove()
  counts['booked without an acknowledgement'] = stored - acknowledged.size
  ok(acknowledged.size > ROUNDS * BOOKINGS.first)
})
