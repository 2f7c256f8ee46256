import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '#core/shared/duration.ts'
import { sweepHolds } from '#server/features/checkouts/end-checkouts.ts'
import { removeOutdated } from '#server/features/housekeeping/repository.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { makeFakeProviders, makePaidCalendar, type PaidCalendar } from '#tests/support/checkouts.ts'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import {
  book,
  MONDAY,
  makeOwner,
  startMeridian,
  type TestMeridian,
  type TestOwner,
} from '#tests/support/meridian.ts'
import { answer, joinAndConfirm, listWaiting, tokenIn, view, waitForOffer } from '#tests/support/waiting.ts'
import { eraseWaitingOf, exportWaitingOf } from './customer-use-cases.ts'

let meridian: TestMeridian
let owner: TestOwner
let calendar: PaidCalendar

beforeAll(async () => {
  meridian = await startMeridian({ providers: makeFakeProviders() })
  owner = await makeOwner(meridian)
})
afterAll(() => meridian.stop())
beforeEach(async () => {
  meridian.clock.ms = MONDAY
  meridian.mails.length = 0
  calendar = await makePaidCalendar(meridian, owner)
})

const ADA = 'ada@example.com'

/** The first free time of the calendar, Monday at 14:00 in London, offered to somebody. */
async function offerAfternoon(): Promise<string> {
  const wish = { appointment_type_id: calendar.typeId, weekdays: [1], day_parts: ['afternoon'] }
  await joinAndConfirm(meridian, calendar.slug, { email: ADA, ...wish })
  return tokenIn(await waitForOffer(meridian, ADA))
}

test('the time of an offer is held while its customer pays, and goes back when they do not', async () => {
  const token = await offerAfternoon()
  expect((await view(meridian, token)).offer).toMatchObject({
    price: 40,
    payment: 'optional',
    providers: ['stripe', 'paypal'],
  })
  const accepted = await answer(meridian, token, 'acceptance', { provider: 'stripe' })
  expect(accepted.json()).toMatchObject({ outcome: 'pay', url: expect.stringContaining('http') })
  // Pressed again, it leads to the same page.
  expect((await answer(meridian, token, 'acceptance', { provider: 'stripe' })).json()).toEqual(
    accepted.json(),
  )
  const startsAt = (await view(meridian, token)).offer?.starts_at
  const other = { appointment_type_id: calendar.typeId, starts_at: startsAt }
  expectRefusal(await book(meridian, calendar.slug, other), 'booking.slot_unavailable')
  meridian.clock.ms += 6 * MINUTE_MS
  await sweepHolds(meridian.deps)
  expect((await book(meridian, calendar.slug, other)).statusCode).toBe(201)
})

test('where payment is required an offer is not accepted without it', async () => {
  const token = await offerAfternoon()
  await meridian.database.db
    .updateTable('calendars')
    .set({ payment_required: true })
    .where('id', '=', calendar.id)
    .execute()
  expect((await view(meridian, token)).offer?.payment).toBe('required')
  expectRefusal(await answer(meridian, token, 'acceptance'), 'booking.payment_required')
  // The refusal has not let the time go.
  expect((await view(meridian, token)).offer?.state).toBe('open')
})

test('the owner cannot act on a time that is only offered', async () => {
  await offerAfternoon()
  const { held_appointment_id: id } = await meridian.database.db
    .selectFrom('waiting_offers')
    .select('held_appointment_id')
    .where('calendar_id', '=', calendar.id)
    .executeTakeFirstOrThrow()
  const acted = await meridian.request({
    method: 'POST',
    url: `/api/calendars/${calendar.id}/appointments/${id}/actions`,
    cookie: owner.cookie,
    payload: { action: 'mark_paid' },
  })
  expectRefusal(acted, 'appointment.is_offer')
})

test('what somebody left on the list is exported and erased, and their offer goes back', async () => {
  const token = await offerAfternoon()
  const person = { calendarId: calendar.id, email: ' ADA@example.com ' }
  const exported = await exportWaitingOf(meridian.database.db, person)
  expect(exported).toMatchObject([{ state: 'offered', name: 'Grace Hopper', day_parts: ['afternoon'] }])
  const { offer } = await view(meridian, token)
  await inTransaction(meridian.database.db, (trx) => eraseWaitingOf(meridian.deps, trx, person))
  expectRefusal(await answer(meridian, token, 'acceptance'), 'waiting.not_found')
  const freed = { appointment_type_id: calendar.typeId, starts_at: offer?.starts_at }
  expect((await book(meridian, calendar.slug, freed)).statusCode).toBe(201)
})

test('requests that have ended are removed after 30 days', async () => {
  const token = await offerAfternoon()
  await answer(meridian, token, 'departure')
  const day = 24 * HOUR_MS
  await removeOutdated(meridian.database.db, meridian.clock.ms + 30 * day - 1)
  expect((await listWaiting(meridian, owner, calendar, 'ended')).total).toBe(1)
  await removeOutdated(meridian.database.db, meridian.clock.ms + 30 * day + 1)
  expect((await listWaiting(meridian, owner, calendar, 'ended')).total).toBe(0)
})
