import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { HOUR_MS } from '#core/shared/duration.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import type { BookedAppointment } from '#server/records/appointments/appointment.ts'
import { findAppointmentDetails } from '#server/records/appointments/details-repository.ts'
import { meridian, setUpMeridian } from '#tests/support/fixtures.ts'
import { makeCalendar, makeOwner, TEST_MONDAY } from '#tests/support/meridian.ts'
import { addAppointmentType, addHost, addLocation, setPrimaryLocation } from '#tests/support/stored-rows.ts'
import { insertBooking, type NewBooking, toBookingRequirements } from './insert-booking.ts'
import { lockBookableCalendar, lockBooking } from './repository.ts'

/** `full` has every calendar field that an appointment or its response can show; `bare` has none of them. */
let full: Calendar
let bare: Calendar
let typeId: string

setUpMeridian({ hasWorkers: false, env: { DEFAULT_PLAN: 'enterprise' } })
beforeAll(async () => {
  const owner = await makeOwner(meridian)
  bare = await makeCalendar(meridian, owner)
  full = await makeCalendar(meridian, owner)
  await setPrimaryLocation(meridian, full.id, await addLocation(meridian, owner))
  const location_id = await addLocation(meridian, owner, { name: 'Upstairs', address: '1 Long Lane' })
  typeId = await addAppointmentType(meridian, full.id, {
    name: 'Massage',
    price_cents: 9_000,
    duration: 50,
    location_id,
  })
  await meridian.database.db
    .updateTable('calendars')
    .set({
      professional_first_name: 'Maya',
      professional_last_name: 'Grey',
      category: 'Midwife',
      color: '#123456',
      domain_settings: sql`jsonb_set(domain_settings, '{path}', '"maya"')`,
    })
    .where('id', '=', full.id)
    .execute()
  const host = { kind: 'subdomain', state: 'live', certificate: 'ready' } as const
  await addHost(meridian, full.id, { host: 'maya.example.com', ...host })
})

const CUSTOMER = {
  name: 'Grace',
  email: 'grace@example.com',
  phone: '+44 20 7946 0000',
  timeZone: 'Asia/Tokyo',
}
const EXPIRES_AT = new Date(TEST_MONDAY + HOUR_MS)

test.each<{ what: string; isFull: boolean; booking: Partial<NewBooking> }>([
  { what: 'a booking of a calendar that says nothing', isFull: false, booking: {} },
  {
    what: 'a booking of a calendar that says everything',
    isFull: true,
    booking: { title: 'Neck', description: 'It hurts.', paymentStatus: 'pending', customer: CUSTOMER },
  },
  {
    what: 'a customer who is known under another spelling of the address',
    isFull: true,
    booking: { customer: { ...CUSTOMER, name: 'G.', email: ' GRACE@example.com' } },
  },
  {
    what: 'a hold until the code of an email is typed',
    isFull: true,
    booking: { hold: { reason: 'email_confirmation', expiresAt: EXPIRES_AT, holder: null } },
  },
  {
    what: 'a hold until it is paid',
    isFull: true,
    booking: {
      paymentStatus: 'pending',
      hold: { reason: 'payment', expiresAt: EXPIRES_AT, holder: null },
    },
  },
  {
    what: 'a booking of the owner for somebody without an address',
    isFull: true,
    booking: { bookedBy: 'owner', customer: { name: 'Quiet', email: null, phone: null, timeZone: null } },
  },
])('$what is described as it is read afterwards', async ({ isFull, booking }) => {
  const { id } = isFull ? full : bare
  const { booked, read } = await inTransaction(meridian.database.db, async (trx) => {
    const booked = await insertNext(trx, id, isFull ? typeId : null, booking)
    return { booked, read: await findAppointmentDetails(trx, booked.id) }
  })
  expect(read).toMatchObject(booked)
  expect(Object.values(booked)).not.toContain(undefined)
  const said = {
    live_host: { host: 'maya.example.com' },
    calendar_location: 'Harley Street',
    location_name: 'Upstairs',
  }
  if (isFull) expect(booked).toMatchObject(said)
})

/** Number of bookings so far. Each is an hour after the previous one, on Tuesday. */
let bookings = 0

async function insertNext(
  trx: Parameters<typeof insertBooking>[1],
  calendarId: string,
  typeId: string | null,
  booking: Partial<NewBooking>,
): Promise<BookedAppointment> {
  const calendar = await lockBookableCalendar(trx, calendarId)
  if (calendar === null) throw new Error('no calendar')
  const locked = await lockBooking(meridian.deps, trx, { calendar, typeId })
  bookings += 1
  return insertBooking(meridian.deps, trx, {
    locked,
    requirements: toBookingRequirements(locked, { typeId, missing: 'booking.incomplete' }),
    startsAtMs: Date.parse('2027-01-05T09:00:00Z') + bookings * HOUR_MS,
    title: null,
    description: null,
    customer: { name: 'Ada', email: 'ada@example.com', phone: null, timeZone: null },
    paymentStatus: 'not_required',
    hold: null,
    bookedBy: 'customer',
    nowMs: TEST_MONDAY,
    ...booking,
  })
}
