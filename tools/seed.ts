import { randomUUID } from 'node:crypto'
import { createCalendarBody } from '#contract/calendars.ts'
import { addLocationBody } from '#contract/locations.ts'
import { createOwnAppointmentBody } from '#contract/owner-booking.ts'
import { DAY_MS } from '#core/shared/duration.ts'
import { addDays, dayOfWeek, localDateOf, toEpochMs } from '#core/shared/zoned-time.ts'
import { DEMO_LOGIN } from '#server/app/demo-account.ts'
import type { RouteDeps } from '#server/app/routes.ts'
import { insertAppointmentType } from '#server/features/appointment-types/repository.ts'
import {
  addRange,
  changeSlotSettings,
  copyDay,
  getAvailability,
  removeRange,
} from '#server/features/availability/use-cases.ts'
import { createOwnAppointment } from '#server/features/bookings/owner-booking.ts'
import { createCalendar } from '#server/features/calendars/use-cases.ts'
import { addLocation } from '#server/features/locations/use-cases.ts'
import { insertAccount } from '#server/platform/auth/account-rows.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'

export const DEMO_SLUG = 'demo'

const TIME_ZONE = 'Europe/London'
const HOUR_SECONDS = 3600

/** Fills a database without a single account with a practice to look at. No email is sent. */
export async function seedWhenEmpty(deps: RouteDeps): Promise<void> {
  const someone = await deps.db.selectFrom('profiles').select('id').limit(1).executeTakeFirst()
  if (someone === undefined) await seedPractice(deps)
}

/**
 * The practice opened a week ago, so that it has appointments that are over. Each use case has a transaction of its own: a
 * first start that is interrupted here leaves a practice without some of its appointments.
 */
async function seedPractice(deps: RouteDeps): Promise<void> {
  const today = localDateOf(deps.now(), TIME_ZONE)
  const openedAtMs = deps.now() - 7 * DAY_MS
  const thenDeps = { ...deps, now: () => openedAtMs }
  const ownerId = await seedOwner(thenDeps)
  const { id: calendarId } = await createCalendar(thenDeps, ownerId, createCalendarBody.parse(CALENDAR))
  await seedWeek(thenDeps, ownerId, calendarId)
  const types = await seedTypes(thenDeps, ownerId, calendarId)
  await seedAppointments(thenDeps, ownerId, { calendarId, types, today })
}

const CALENDAR = {
  slug: DEMO_SLUG,
  name: 'Osei Psychotherapy',
  description:
    'Individual and couples therapy in a quiet practice near the river, or online. A first conversation is free and without obligation.',
  color: '#0f766e',
  category: 'Therapist',
  timezone: TIME_ZONE,
  appointment_title_required: false,
  default_appointment_title: 'Appointment with {{professional_full_name}}',
}

/**
 * An account is confirmed by the link of an email, and a plan is given by the operator. No use case does either without them.
 */
async function seedOwner(deps: RouteDeps): Promise<OwnerId> {
  const id = randomUUID()
  const passwordHash = await deps.auth.hashPassword(DEMO_LOGIN.password)
  await inTransaction(deps.db, async (trx) => {
    await insertAccount(trx, { id, email: DEMO_LOGIN.email, fullName: 'Amara Osei', passwordHash })
    await trx.insertInto('subscriptions').values({ user_id: id, tier: 'business', ends_at: null }).execute()
  })
  // There is no session: the account was made just now.
  return id as OwnerId
}

/** Monday to Friday with a break at noon, and ten minutes between two appointments. */
async function seedWeek(deps: RouteDeps, ownerId: OwnerId, calendarId: string): Promise<void> {
  const { availability } = await getAvailability(deps, ownerId, calendarId)
  for (const { id, day_of_week } of availability) {
    if (day_of_week === 1) await removeRange(deps, ownerId, { calendarId, id })
  }
  await addRange(deps, ownerId, calendarId, { day_of_week: 1, start_time: '09:00:00', end_time: '12:30:00' })
  await addRange(deps, ownerId, calendarId, { day_of_week: 1, start_time: '13:30:00', end_time: '18:00:00' })
  await copyDay(deps, ownerId, calendarId, { from_day: 1, to_days: [2, 3, 4, 5] })
  await changeSlotSettings(deps, ownerId, calendarId, { buffer_time_minutes: 10 })
}

const LOCATION = { name: 'Riverside Practice', address: '14 Wharf Lane, London SE1 9PP' }

const TYPES = [
  {
    name: 'First conversation',
    durationMinutes: 30,
    priceCents: null,
    isOnline: true,
    color: '#b45309',
    description: 'Get to know each other by video. Free.',
  },
  {
    name: 'Individual session',
    durationMinutes: 60,
    priceCents: 9_000,
    isOnline: false,
    color: '#0f766e',
    description: 'A full session at the practice.',
  },
  {
    name: 'Couples session',
    durationMinutes: 90,
    priceCents: 13_500,
    isOnline: false,
    color: '#7c3aed',
    description: 'For two, with time to hear both.',
  },
  {
    name: 'Online session',
    durationMinutes: 60,
    priceCents: 8_000,
    isOnline: true,
    color: '#0369a1',
    description: 'The same, wherever you are.',
  },
]

/**
 * Makes the types and returns their ids in order. The rows are written directly, because the use case drops a price while no
 * payment provider is connected (rule C13). The demo shows prices and has no provider, so visitors book without paying.
 */
async function seedTypes(deps: RouteDeps, ownerId: OwnerId, calendarId: string): Promise<string[]> {
  const { location_id } = await addLocation(deps, ownerId, calendarId, addLocationBody.parse(LOCATION))
  const ids: string[] = []
  for (const type of TYPES) {
    const id = randomUUID()
    const locationId = type.isOnline ? null : location_id
    const values = { ...type, locationId, stripePriceId: null, paymentRequired: false }
    await insertAppointmentType(deps.db, { calendarId, id }, values)
    ids.push(id)
  }
  return ids
}

const CUSTOMERS = [
  { name: 'Lena Fischer', email: 'lena.fischer@example.com', phone: '+44 20 7946 0101' },
  { name: 'Tomás Ribeiro', email: 'tomas.ribeiro@example.com' },
  { name: 'Priya Natarajan', email: 'priya.natarajan@example.com', phone: '+44 20 7946 0144' },
  { name: 'Owen Hughes', email: 'owen.hughes@example.com' },
  { name: 'Sofia Rossi', email: 'sofia.rossi@example.com', phone: '+39 06 5550 1234' },
]

/** Which working day from now (negative: ago), at which hour, which type, which customer. */
const APPOINTMENTS = [
  [-3, 10, 1, 0],
  [-2, 15, 2, 1],
  [-1, 9, 3, 2],
  [1, 9, 1, 0],
  [1, 14, 2, 4],
  [2, 11, 0, 3],
  [3, 10, 3, 2],
  [5, 15, 1, 1],
] as const

async function seedAppointments(
  deps: RouteDeps,
  ownerId: OwnerId,
  { calendarId, types, today }: { calendarId: string; types: readonly string[]; today: string },
): Promise<void> {
  for (const [workingDays, hour, type, customer] of APPOINTMENTS) {
    const startsAtMs = toEpochMs(workingDayFrom(today, workingDays), hour * HOUR_SECONDS, TIME_ZONE)
    const body = createOwnAppointmentBody.parse({
      appointment_type_id: types[type],
      starts_at: new Date(startsAtMs).toISOString(),
      customer: CUSTOMERS[customer],
      notify_customer: false,
    })
    await createOwnAppointment(deps, ownerId, { calendarId, key: null, body })
  }
}

/** The n-th working day after (or before) a date. */
function workingDayFrom(date: string, count: number): string {
  const step = Math.sign(count)
  let day = date
  for (let left = Math.abs(count); left > 0; ) {
    day = addDays(day, step)
    if (![0, 6].includes(dayOfWeek(day))) left -= 1
  }
  return day
}
