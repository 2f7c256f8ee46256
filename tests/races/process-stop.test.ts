import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mailsResponse } from '#sandbox/mailbox/mail.ts'
import { makePracticeFolder, type PracticeFolder, startBookingRush } from '#tests/support/practice-folder.ts'
import { printDuration, queryNumber, waitUntil } from '#tests/support/race-track.ts'
import { type ServerProcess, startServer } from '#tests/support/server-process.ts'
import { listCompleteAppointments } from '#tests/support/whole-appointments.ts'

/** Maximum duration of a stop, in milliseconds. A container has ten seconds between SIGTERM and SIGKILL. */
const STOP_LIMIT_MS = 10_000

let practice: PracticeFolder
let server: ServerProcess

beforeAll(async () => {
  practice = await makePracticeFolder()
})
afterAll(async () => {
  await server.end('SIGKILL')
  await practice.remove()
})

test('SIGTERM in the middle of bookings ends the process with 0, loses no acknowledged booking and halves none', async () => {
  // Repeats until a stop leaves emails of the last bookings unsent. They are, unless the workers polled at the very last moment.
  for (let round = 0; round < 3 && (await countUnsent()) === 0; round += 1) {
    server = await startServer(practice.dataDir)
    const bookings = startBookingRush(server, practice.slug)
    await bookings.until(30)
    const ending = await server.end('SIGTERM')
    await bookings.over()
    printDuration('stop in the middle of bookings', ending.durationMs)

    expect(ending).toMatchObject({ code: 0, stderr: '' })
    expect(ending.durationMs).toBeLessThan(STOP_LIMIT_MS)
    expect(bookings.oddAnswers).toEqual([])
    expect(await practice.inspect(listCompleteAppointments)).toEqual(
      expect.arrayContaining([...bookings.booked]),
    )
  }
  expect(await countUnsent()).toBeGreaterThan(0)
})

test('mails that were queued before a stop are sent after the next start', async () => {
  const booked = (await practice.inspect(listCompleteAppointments)).length
  server = await startServer(practice.dataDir)
  await waitUntil(async () => {
    const mails = await countMails()
    return mails === 2 * booked || `the mails of ${booked} bookings: ${mails}`
  })
})

test('a stop does not wait for connections on which nothing is asked, nor to the end for unfinished requests', async () => {
  const silent = await open(server)
  const halfway = await open(server)
  halfway.write('POST /api/auth/sign-in HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"email":')
  const unfinished = await open(server)
  unfinished.write('GET / HTTP/1.1\r\nHost: loc')
  // Time for the partial requests to arrive. Connections on which nothing has arrived are closed at once.
  await new Promise((resolve) => setTimeout(resolve, 300))

  const ending = await server.end('SIGTERM')
  printDuration('stop with unfinished requests', ending.durationMs)
  expect(ending.code).toBe(0)
  expect(ending.durationMs).toBeLessThan(STOP_LIMIT_MS)
  for (const socket of [silent, halfway, unfinished]) socket.destroy()
})

test('after kill -9 in the middle of bookings it starts by itself with every acknowledged booking', () =>
  killAmidBookings(1))

test('after kill -9 three times over it does so, too', { tags: ['slow'] }, () => killAmidBookings(3))

async function killAmidBookings(rounds: number): Promise<void> {
  const acknowledged: string[] = []
  for (let round = 0; round < rounds; round += 1) {
    server = await startServer(practice.dataDir)
    const bookings = startBookingRush(server, practice.slug)
    await bookings.until(15)
    const ending = await server.end('SIGKILL')
    await bookings.over()
    expect(ending.signal).toBe('SIGKILL')
    expect(bookings.oddAnswers).toEqual([])
    acknowledged.push(...bookings.booked)
  }
  server = await startServer(practice.dataDir)
  printDuration('start after kill -9', server.readyAfterMs)
  expect((await server.request(`/api/public/appointments/${acknowledged.at(-1)}`)).status).toBe(200)
  expect((await server.end('SIGTERM')).code).toBe(0)
  expect(await practice.inspect(listCompleteAppointments)).toEqual(expect.arrayContaining(acknowledged))
}

/** Counts the queued emails that have not been sent, while Meridian is not running. */
function countUnsent(): Promise<number> {
  const unsent = `select count(*) from pgboss.job where name = 'appointment-mail' and state <> 'completed'`
  return practice.inspect((database) => queryNumber(database, unsent))
}

async function countMails(): Promise<number> {
  const answer = await server.request('/api/sandbox/mails')
  return mailsResponse.parse(await answer.json()).mails.length
}

function open({ port }: ServerProcess): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket))
    socket.on('error', reject)
  })
}
