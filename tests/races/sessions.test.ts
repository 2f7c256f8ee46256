import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { PROBLEMS } from '#contract/shared/problem.ts'
import {
  bookAppointment,
  makeCalendar,
  makeOwner,
  type TestMeridian,
  type TestOwner,
} from '#tests/support/meridian.ts'
import { testOnEachDatabaseSetup } from '#tests/support/on-each-track.ts'
import { openBlockingSession } from '#tests/support/other-session.ts'
import { createDatabase } from '#tests/support/postgres-server.ts'
import { countDeadlocks, queryNumber, startOnPostgresServer } from '#tests/support/race-track.ts'
import { countSeatsTaken } from '#tests/support/sessions.ts'
import { addAppointmentType } from '#tests/support/stored-rows.ts'

const RUNNERS = 40
const NINE = '2027-01-05T09:00:00Z'
const TEN = '2027-01-05T10:00:00Z'

testOnEachDatabaseSetup(({ start }) => {
  let meridian: TestMeridian
  let owner: TestOwner

  beforeAll(async () => {
    meridian = await start()
    owner = await makeOwner(meridian, { tier: 'business' })
  })
  afterAll(() => meridian.stop())

  async function makeGroup(seats: number) {
    const { id, slug } = await makeCalendar(meridian, owner)
    const typeId = await addAppointmentType(meridian, id, { name: 'Yoga', duration: 60, seats })
    const book = (who: string, starts_at = NINE) =>
      bookAppointment(meridian, slug, {
        starts_at,
        appointment_type_id: typeId,
        customer: { name: who, email: `${who}@example.com` },
      })
    return { id, book }
  }

  const TAKEN = `select coalesce(sum(seats_taken), 0) from group_sessions where calendar_id = $1`
  const BOOKED = `select count(*) from appointments where calendar_id = $1 and status <> 'cancelled'`

  test('of 40 customers at the last seat exactly one gets it, and the others read why', async () => {
    const { id, book } = await makeGroup(3)
    for (const who of ['ada', 'bob']) expect((await book(who)).statusCode).toBe(201)
    const answers = await Promise.all(Array.from({ length: RUNNERS }, (_, i) => book(`runner-${i}`)))
    const refused = answers.filter(({ statusCode }) => statusCode !== 201)
    expect(refused).toHaveLength(RUNNERS - 1)
    const { title } = PROBLEMS['booking.session_full']
    for (const answer of refused) expect(answer.json()).toMatchObject({ code: 'booking.session_full', title })
    expect(await queryNumber(meridian.database, BOOKED, [id])).toBe(3)
    expect(await queryNumber(meridian.database, TAKEN, [id])).toBe(3)
    expect(await countDeadlocks(meridian.database)).toBe(0)
  })

  test('of 40 customers at an empty time, as many share one session as it has seats', async () => {
    const { id, book } = await makeGroup(25)
    const answers = await Promise.all(Array.from({ length: RUNNERS }, (_, i) => book(`first-${i}`)))
    expect(answers.filter(({ statusCode }) => statusCode === 201)).toHaveLength(25)
    expect(await queryNumber(meridian.database, TAKEN, [id])).toBe(25)
    const sessions = 'select count(*) from group_sessions where calendar_id = $1'
    expect(await queryNumber(meridian.database, sessions, [id])).toBe(1)
  })

  test('a session that moves while customers want its last seat is never over its seats, and nobody is lost', async () => {
    const { id, book } = await makeGroup(3)
    const first = (await book('ada')).json().id
    await book('bob')
    const move = owner.post(`/api/calendars/${id}/appointments/${first}/move`, {
      starts_at: TEN,
      expected_starts_at: NINE,
      whole_session: true,
    })
    const [moved, ...answers] = await Promise.all([
      move,
      ...Array.from({ length: 10 }, (_, i) => book(`late-${i}`)),
    ])
    expect(moved.statusCode, moved.body).toBe(200)
    const booked = answers.filter(({ statusCode }) => statusCode === 201)
    for (const answer of answers.filter((each) => !booked.includes(each))) {
      expect(answer.json()).toMatchObject({ code: 'booking.session_full' })
    }
    const strays = `select count(*) from appointments join group_sessions as sessions on sessions.id = session_id
      where appointments.calendar_id = $1 and sessions.starts_at <> appointments.starts_at`
    expect(await queryNumber(meridian.database, strays, [id])).toBe(0)
    expect(await queryNumber(meridian.database, BOOKED, [id])).toBe(booked.length + 2)
    const taken = await countSeatsTaken(meridian, { id })
    expect(Math.max(...taken)).toBe(3)
    expect(taken.reduce((sum, seats) => sum + seats, 0)).toBe(booked.length + 2)
    const there = `${BOOKED} and starts_at = $2`
    expect(await queryNumber(meridian.database, there, [id, TEN])).toBe(taken.at(-1))
    expect(await countDeadlocks(meridian.database)).toBe(0)
  })
})

test('a session moves while the hold of somebody in it ends, and neither waits for the other in vain', async () => {
  const url = await createDatabase(inject('postgresUrl'))
  const meridian = await startOnPostgresServer({ url })
  const other = await openBlockingSession(url)
  const owner = await makeOwner(meridian, { tier: 'business' })
  const { id, slug } = await makeCalendar(meridian, owner)
  const typeId = await addAppointmentType(meridian, id, { name: 'Yoga', duration: 60, seats: 3 })
  const book = async (who: string) => {
    const customer = { name: who, email: `${who}@example.com` }
    const body = { starts_at: NINE, appointment_type_id: typeId, customer }
    return (await bookAppointment(meridian, slug, body)).json().id
  }
  const staying = await book('ada')
  await owner.patch(`/api/calendars/${id}`, { email_confirmation_required: true })
  const held = await book('bob')
  const { answer } = await other.hold(
    // The release of a hold locks it, and then the trigger locks its session.
    [['select from appointments where id = $1 for update', [held]]],
    () =>
      owner.post(`/api/calendars/${id}/appointments/${staying}/move`, {
        starts_at: TEN,
        expected_starts_at: NINE,
        whole_session: true,
      }),
    [['update appointments set released_at = hold_expires_at where id = $1', [held]]],
  )
  expect(answer.statusCode, answer.body).toBe(200)
  expect(await countDeadlocks(meridian.database)).toBe(0)
  const moved =
    'select count(*) from appointments where calendar_id = $1 and starts_at = $2 and released_at is null'
  expect(await queryNumber(meridian.database, moved, [id, TEN])).toBe(1)
  await other.end()
  await meridian.stop()
})
