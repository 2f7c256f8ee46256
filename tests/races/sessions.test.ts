import { afterAll, beforeAll, expect, test } from 'vitest'
import { PROBLEMS } from '#contract/shared/problem.ts'
import {
  bookAppointment,
  makeCalendar,
  makeOwner,
  type TestMeridian,
  type TestOwner,
} from '#tests/support/meridian.ts'
import { testOnEachDatabaseSetup } from '#tests/support/on-each-track.ts'
import { countDeadlocks, queryNumber } from '#tests/support/race-track.ts'
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

  test('a session that moves while customers book it takes all of them along, or refuses them', async () => {
    const { id, book } = await makeGroup(30)
    const first = (await book('ada')).json().id
    const move = owner.post(`/api/calendars/${id}/appointments/${first}/move`, {
      starts_at: TEN,
      expected_starts_at: NINE,
      whole_session: true,
    })
    const [moved, ...booked] = await Promise.all([
      move,
      ...Array.from({ length: 10 }, (_, i) => book(`late-${i}`)),
    ])
    expect(moved.statusCode, moved.body).toBe(200)
    const strays = `select count(*) from appointments join group_sessions as sessions on sessions.id = session_id
      where appointments.calendar_id = $1 and sessions.starts_at <> appointments.starts_at`
    expect(await queryNumber(meridian.database, strays, [id])).toBe(0)
    const kept = booked.filter(({ statusCode }) => statusCode === 201).length
    expect(await queryNumber(meridian.database, TAKEN, [id])).toBe(kept + 1)
    expect(await countDeadlocks(meridian.database)).toBe(0)
  })
})
