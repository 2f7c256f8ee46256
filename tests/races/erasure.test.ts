import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { eraseCustomer } from '#server/areas/customers/record-use-cases.ts'
import { scanWaitingList } from '#server/areas/waiting-list/scan-waiting-list.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { expectErased } from '#tests/support/forgotten.ts'
import {
  bookAppointment,
  makeCalendar,
  makeOwner,
  type TestMeridian,
  type TestOwner,
} from '#tests/support/meridian.ts'
import { testOnEachDatabaseSetup } from '#tests/support/on-each-track.ts'
import { queryNumber, queryRows } from '#tests/support/race-track.ts'
import {
  joinFullyBookedCalendar,
  joinWaitingListAndConfirm,
  respondToOffer,
  tokenInWaitingListEmail,
  waitForOffer,
  waitUntilScansFinish,
} from '#tests/support/waiting.ts'

const ROUNDS = 4
/** Times on a Tuesday in London. */
const [NINE, HALF_PAST] = ['2027-01-05T09:00:00Z', '2027-01-05T09:30:00Z']

testOnEachDatabaseSetup(({ start }) => {
  let meridian: TestMeridian
  let owner: TestOwner

  beforeAll(async () => {
    meridian = await start({ env: { DEFAULT_PLAN: 'enterprise' } })
    owner = await makeOwner(meridian)
  })
  afterAll(() => meridian.stop())

  test('a customer who is erased while they accept an offer is booked, or forgotten with their hold', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const name = nextName()
      const { calendar, key } = await makeCustomer(name)
      await joinFullyBookedCalendar(meridian, calendar.slug, {
        name,
        email: toEmail(name),
        to_date: '2027-01-05',
      })
      const token = tokenInWaitingListEmail(await waitForOffer(meridian, toEmail(name)))
      const [accepted, refusal] = await Promise.all([
        respondToOffer(meridian, token, 'acceptance'),
        erase(key),
      ])
      expect([200, 404], accepted.body).toContain(accepted.statusCode)
      // A customer with a future appointment cannot be erased until it is cancelled.
      expect(refusal).toBe(accepted.statusCode === 200 ? 'customer.appointments_ahead' : null)
      await cancelAll(calendar)
      expect(await erase(key)).toBeNull()
      await expectErased(meridian.database, calendar.id, [name])
      expect(await countTaking(calendar)).toBe(0)
    }
  })

  test('a customer who is erased while times are offered to them leaves no offer and no hold', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const name = nextName()
      const { calendar, key } = await makeCustomer(name, { isOpen: false })
      await joinWaitingListAndConfirm(meridian, calendar.slug, {
        name,
        email: toEmail(name),
        to_date: '2027-01-05',
      })
      await waitUntilScansFinish(meridian)
      await openTuesday(calendar)
      const [refusal] = await Promise.all([erase(key), scanWaitingList(meridian.deps, calendar.id)])
      expect(refusal).toBeNull()
      await expectErased(meridian.database, calendar.id, [name])
      expect(await countTaking(calendar)).toBe(0)
    }
  })

  test('a customer who is erased while they book is booked as before, or as somebody new', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const name = nextName()
      const { calendar, key } = await makeCustomer(name)
      const customer = { name, email: toEmail(name) }
      const [booked, refusal] = await Promise.all([
        bookAppointment(meridian, calendar.slug, { starts_at: NINE, customer }),
        erase(key),
      ])
      expect(booked.statusCode, booked.body).toBe(201)
      const [row] = await queryRows(meridian.database, 'select customer_id from appointments where id = $1', [
        booked.json().id,
      ])
      expect(row?.customer_id === key.customerId).toBe(refusal === 'customer.appointments_ahead')
      // The records of an erased customer must not contain their name.
      const named = `select count(*) from appointments a join customers c on c.calendar_id = a.calendar_id and c.id = a.customer_id
        where a.calendar_id = $1 and c.erased_at is not null and (a::text ~ $2 or c::text ~ $2)`
      expect(await queryNumber(meridian.database, named, [calendar.id, `${name}\\y`])).toBe(0)
    }
  })

  let people = 0
  function nextName(): string {
    people += 1
    return `nemo${people}x${process.pid}`
  }

  /** Makes a customer whose only appointment was cancelled, on a calendar that is open for an hour. */
  async function makeCustomer(name: string, { isOpen = true } = {}) {
    const calendar = await makeCalendar(meridian, owner)
    const customer = { name, email: toEmail(name) }
    const booked = await bookAppointment(meridian, calendar.slug, { starts_at: HALF_PAST, customer })
    expect(booked.statusCode, booked.body).toBe(201)
    await cancelAll(calendar)
    await meridian.database.execute('delete from availability where calendar_id = $1', [calendar.id])
    if (isOpen) await openTuesday(calendar)
    const [row] = await queryRows(meridian.database, 'select id from customers where calendar_id = $1', [
      calendar.id,
    ])
    return { calendar, key: { calendarId: calendar.id, customerId: String(row?.id) } }
  }

  async function openTuesday({ id }: Calendar): Promise<void> {
    await meridian.database.execute(
      `insert into availability (calendar_id, id, day_of_week, start_time, end_time)
       values ($1, gen_random_uuid(), 2, '09:00', '10:00')`,
      [id],
    )
  }

  /** Returns the code of the refusal; null when the customer was erased. */
  async function erase(key: { calendarId: string; customerId: string }): Promise<string | null> {
    try {
      await eraseCustomer(meridian.deps, key)
      return null
    } catch (error) {
      if (error instanceof ProblemError) return error.code
      throw error
    }
  }

  async function cancelAll({ id }: Calendar): Promise<void> {
    await meridian.database.execute(`update appointments set status = 'cancelled' where calendar_id = $1`, [
      id,
    ])
  }

  /** Counts the appointments and holds that block their time. */
  function countTaking({ id }: Calendar): Promise<number> {
    const text = `select count(*) from appointments where calendar_id = $1 and status <> 'cancelled' and released_at is null`
    return queryNumber(meridian.database, text, [id])
  }
})

function toEmail(name: string): string {
  return `${name}@example.com`
}
