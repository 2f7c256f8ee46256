import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '#core/shared/duration.ts'
import { releaseExpiredHolds } from '#server/areas/payments/checkouts/end-checkouts.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { deleteExpiredRecords } from '#server/records/housekeeping/repository.ts'
import {
  makeFakeProviders,
  makePaidCalendar,
  type PaidCalendar,
  settlePayment,
} from '#tests/support/checkouts.ts'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { meridian, owner, setUpOwner } from '#tests/support/fixtures.ts'
import { bookAppointment } from '#tests/support/meridian.ts'
import { waitUntil } from '#tests/support/race-track.ts'
import {
  getWaitingRequest,
  joinFullyBookedCalendar,
  listWaitingListEntries,
  respondToOffer,
  tokenInWaitingListEmail,
  waitForOffer,
} from '#tests/support/waiting.ts'
import { eraseWaitingEntries, exportWaitingEntries } from './customer-use-cases.ts'
import { scanWaitingList } from './scan-waiting-list.ts'

let calendar: PaidCalendar
/** New addresses for each test, because an email of the previous test may still be on its way. */
let [ada, bob] = ['', '']
const providers = makeFakeProviders()

setUpOwner({ providers })
beforeEach(async () => {
  const test = randomUUID()
  ada = `ada-${test}@example.com`
  bob = `bob-${test}@example.com`
  calendar = await makePaidCalendar(meridian, owner)
})

/** Makes the list offer Ada the calendar's first free time, Monday at 14:00 in London. */
async function offerAfternoon(): Promise<string> {
  const wish = { appointment_type_id: calendar.typeId, weekdays: [1], day_parts: ['afternoon'] }
  await joinFullyBookedCalendar(meridian, calendar.slug, { email: ada, ...wish })
  return tokenInWaitingListEmail(await waitForOffer(meridian, ada))
}

test('the time of an offer is held while the customer pays, and freed when they do not', async () => {
  const token = await offerAfternoon()
  expect((await getWaitingRequest(meridian, token)).offer).toMatchObject({
    price: 40,
    payment: 'optional',
    providers: ['stripe', 'paypal'],
  })
  const accepted = await respondToOffer(meridian, token, 'acceptance', { provider: 'stripe' })
  expect(accepted.json()).toMatchObject({ outcome: 'pay', url: expect.stringContaining('http') })
  // The response contains the link of the customer's page, as on the booking page.
  const { appointment_id: id, manage_token } = accepted.json()
  expect((await meridian.get(`/api/public/manage/${manage_token}`)).json()).toMatchObject({
    appointment: { id },
  })
  // A customer who returns without having paid sees that, and the time until which they can still pay.
  expect((await getWaitingRequest(meridian, token)).offer).toMatchObject({
    state: 'accepted',
    pay_until: '2027-01-04T08:05:00.001Z',
  })
  // Accepting again returns the same checkout page.
  expect((await respondToOffer(meridian, token, 'acceptance', { provider: 'stripe' })).json()).toEqual(
    accepted.json(),
  )
  const startsAt = (await getWaitingRequest(meridian, token)).offer?.starts_at
  const other = { appointment_type_id: calendar.typeId, starts_at: startsAt }
  expectRefusal(await bookAppointment(meridian, calendar.slug, other), 'booking.slot_unavailable')
  meridian.clock.ms += 6 * MINUTE_MS
  expect((await getWaitingRequest(meridian, token)).offer?.pay_until).toBeNull()
  await releaseExpiredHolds(meridian.deps)
  expect((await bookAppointment(meridian, calendar.slug, other)).statusCode).toBe(201)
})

describe('a customer who accepted and did not pay in time', () => {
  const TWO = '2027-01-04T14:00:00.000Z'
  const THREE = '2027-01-04T15:00:00.000Z'

  /** Makes Ada accept the only open time without paying yet. */
  async function acceptUnpaid(wish: Record<string, unknown> = {}) {
    await openOnly('14:00')
    await joinToday({ email: ada, ...wish })
    const token = tokenInWaitingListEmail(await waitForOffer(meridian, ada))
    const accepted = await respondToOffer(meridian, token, 'acceptance', { provider: 'stripe' })
    const { url } = accepted.json<{ url: string }>()
    const { offer } = await getWaitingRequest(meridian, token)
    return {
      token,
      appointmentId: offer?.appointment_id ?? '',
      checkoutId: url.slice(url.lastIndexOf('/') + 1),
    }
  }

  async function endHold() {
    meridian.clock.ms += 6 * MINUTE_MS
    await releaseExpiredHolds(meridian.deps)
    await scanWaitingList(meridian.deps, calendar.id)
  }

  test('keeps the place, and the time is offered to the next customer, not to them again', async () => {
    const { token } = await acceptUnpaid()
    await joinToday({ email: bob })
    await endHold()
    expect(await getWaitingRequest(meridian, token)).toMatchObject({
      state: 'waiting',
      offer: { state: 'unpaid', appointment_id: null },
    })
    expectRefusal(await respondToOffer(meridian, token, 'acceptance'), 'waiting.offer_unpaid')
    await waitForOffer(meridian, bob)
    expect((await listWaitingListEntries(meridian, owner, calendar)).entries).toMatchObject([
      { customer_email: ada, place: 1, state: 'waiting', offers: [{ starts_at: TWO, state: 'unpaid' }] },
      { customer_email: bob, place: 2, state: 'offered', offers: [{ starts_at: TWO, state: 'open' }] },
    ])
  })

  test('waits again when nobody else is on the list', async () => {
    const { token } = await acceptUnpaid()
    meridian.clock.ms += 6 * MINUTE_MS
    await releaseExpiredHolds(meridian.deps)
    // The end of the hold triggers a scan of the list.
    await waitUntil(async () => (await getWaitingRequest(meridian, token)).state === 'waiting')
  })

  test('reads that the time was lost, even before the next scan', async () => {
    const { token, appointmentId } = await acceptUnpaid()
    await meridian.database.db
      .updateTable('appointments')
      .set({ released_at: new Date(meridian.clock.ms) })
      .where('id', '=', appointmentId)
      .execute()
    expectRefusal(await respondToOffer(meridian, token, 'acceptance'), 'waiting.offer_unpaid')
  })

  test('stops waiting after the last day of the request', async () => {
    const { token } = await acceptUnpaid({ valid_until: '2027-01-04' })
    meridian.clock.ms += 24 * HOUR_MS
    await endHold()
    expect((await getWaitingRequest(meridian, token)).state).toBe('expired')
  })

  test('is removed from the list after three unpaid offers', async () => {
    const { token } = await acceptUnpaid()
    await meridian.database.db
      .updateTable('waiting_entries')
      .set({ unanswered: 2 })
      .where('calendar_id', '=', calendar.id)
      .execute()
    await endHold()
    expect((await getWaitingRequest(meridian, token)).state).toBe('removed')
  })

  test('gets the booking when the payment arrives late, and a newer offer is withdrawn', async () => {
    const { token, appointmentId, checkoutId } = await acceptUnpaid()
    await openOnly('15:00')
    await endHold()
    const other = await waitForOffer(meridian, ada, (await firstOffer()).messageId)
    expect((await getWaitingRequest(meridian, tokenInWaitingListEmail(other))).offer).toMatchObject({
      state: 'open',
      starts_at: THREE,
    })
    providers.stripe.pay(checkoutId)
    await settlePayment(meridian, appointmentId)
    await waitUntil(async () => (await getWaitingRequest(meridian, token)).state === 'accepted')
    expect((await getWaitingRequest(meridian, token)).offer).toMatchObject({
      state: 'accepted',
      appointment_id: appointmentId,
    })
    expect((await getWaitingRequest(meridian, tokenInWaitingListEmail(other))).offer?.state).toBe('withdrawn')
    const freed = { appointment_type_id: calendar.typeId, starts_at: THREE }
    expect((await bookAppointment(meridian, calendar.slug, freed)).statusCode).toBe(201)
  })

  function joinToday(body: { email: string } & Record<string, unknown>) {
    const today = { appointment_type_id: calendar.typeId, to_date: '2027-01-04' }
    return joinFullyBookedCalendar(meridian, calendar.slug, { ...today, ...body })
  }

  const firstOffer = () => waitForOffer(meridian, ada)

  /** Leaves only one half hour open on Mondays, directly in the database, so no scan is requested. */
  async function openOnly(start: string): Promise<void> {
    const { db } = meridian.database
    await db.deleteFrom('availability').where('calendar_id', '=', calendar.id).execute()
    const range = { day_of_week: 1, start_time: start, end_time: start.replace(':00', ':30') }
    await db
      .insertInto('availability')
      .values({ calendar_id: calendar.id, id: randomUUID(), ...range })
      .execute()
  }
})

test('an offer that requires payment cannot be accepted without it', async () => {
  const token = await offerAfternoon()
  await meridian.database.db
    .updateTable('calendars')
    .set({ payment_required: true })
    .where('id', '=', calendar.id)
    .execute()
  expect((await getWaitingRequest(meridian, token)).offer?.payment).toBe('required')
  expectRefusal(await respondToOffer(meridian, token, 'acceptance'), 'booking.payment_required')
  // The refusal did not end the offer.
  expect((await getWaitingRequest(meridian, token)).offer?.state).toBe('open')
})

test('the owner’s actions are refused for a time that is only offered', async () => {
  await offerAfternoon()
  const { held_appointment_id: id } = await meridian.database.db
    .selectFrom('waiting_offers')
    .select('held_appointment_id')
    .where('calendar_id', '=', calendar.id)
    .executeTakeFirstOrThrow()
  const acted = await owner.post(`/api/calendars/${calendar.id}/appointments/${id}/actions`, {
    action: 'mark_paid',
  })
  expectRefusal(acted, 'appointment.is_offer')
})

test('a customer’s requests are exported and erased, and their offer is withdrawn', async () => {
  const token = await offerAfternoon()
  const person = { calendarId: calendar.id, email: ` ${ada.toUpperCase()} ` }
  const exported = await exportWaitingEntries(meridian.database.db, person)
  expect(exported).toMatchObject([{ state: 'offered', name: 'Grace Hopper', day_parts: ['afternoon'] }])
  const { offer } = await getWaitingRequest(meridian, token)
  await inTransaction(meridian.database.db, (trx) => eraseWaitingEntries(meridian.deps, trx, person))
  expectRefusal(await respondToOffer(meridian, token, 'acceptance'), 'waiting.not_found')
  const freed = { appointment_type_id: calendar.typeId, starts_at: offer?.starts_at }
  expect((await bookAppointment(meridian, calendar.slug, freed)).statusCode).toBe(201)
})

test('ended requests are deleted after 30 days', async () => {
  const token = await offerAfternoon()
  await respondToOffer(meridian, token, 'departure')
  const day = 24 * HOUR_MS
  await deleteExpiredRecords(meridian.database.db, meridian.clock.ms + 30 * day - 1)
  expect((await listWaitingListEntries(meridian, owner, calendar, 'ended')).total).toBe(1)
  await deleteExpiredRecords(meridian.database.db, meridian.clock.ms + 30 * day + 1)
  expect((await listWaitingListEntries(meridian, owner, calendar, 'ended')).total).toBe(0)
})
