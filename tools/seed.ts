import { randomUUID } from 'node:crypto'
import { hashPassword } from 'better-auth/crypto'
import { sql } from 'kysely'
import { addDays, dayOfWeek, localDateOf, toEpochMs } from '#core/shared/zoned-time.ts'
import { DEMO_LOGIN } from '#server/app/demo-account.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'

export const DEMO_SLUG = 'demo'

const TIME_ZONE = 'Europe/London'
const HOUR_SECONDS = 3600

/** Fills a database without a single account with a practice to look at. */
export async function seedWhenEmpty(db: Db, nowMs: number): Promise<void> {
  const someone = await db.selectFrom('profiles').select('id').limit(1).executeTakeFirst()
  if (someone !== undefined) return
  // Before the transaction: hashing takes a tenth of a second.
  const password = await hashPassword(DEMO_LOGIN.password)
  await inTransaction(db, (trx) => seedPractice(trx, password, new Date(nowMs)))
}

async function seedPractice(trx: Trx, password: string, now: Date): Promise<void> {
  const userId = randomUUID()
  await trx
    .insertInto('profiles')
    .values({
      id: userId,
      email: DEMO_LOGIN.email,
      email_verified: true,
      full_name: 'Amara Osei',
      first_name: 'Amara',
      last_name: 'Osei',
      avatar_url: null,
    })
    .execute()
  await trx
    .insertInto('accounts')
    .values({ id: randomUUID(), user_id: userId, account_id: userId, provider_id: 'credential', password })
    .execute()
  await trx.insertInto('subscriptions').values({ user_id: userId, tier: 'business', ends_at: null }).execute()

  const calendarId = randomUUID()
  await trx
    .insertInto('public_calendars')
    .values({ slug: DEMO_SLUG, calendar_id: null, public_url: null })
    .execute()
  await trx
    .insertInto('calendars')
    .values({
      id: calendarId,
      user_id: userId,
      slug: DEMO_SLUG,
      name: 'Osei Psychotherapy',
      description:
        'Individual and couples therapy in a quiet practice near the river, or online. A first conversation is free and without obligation.',
      color: '#0f766e',
      category: 'Therapist',
      professional_first_name: 'Amara',
      professional_last_name: 'Osei',
      timezone: TIME_ZONE,
      appointment_title_required: false,
      default_appointment_title: 'Appointment with {{professional_full_name}}',
      payment_required: false,
      buffer_time_minutes: 10,
    })
    .execute()
  await trx
    .updateTable('public_calendars')
    .set({ calendar_id: calendarId })
    .where('slug', '=', DEMO_SLUG)
    .execute()
  await seedWeek(trx, calendarId)
  const locationId = await seedLocation(trx, userId, calendarId)
  const types = await seedTypes(trx, calendarId, locationId)
  await seedAppointments(trx, { calendarId, locationId, types, now })
}

async function seedWeek(trx: Trx, calendarId: string): Promise<void> {
  const halves = [
    ['09:00:00', '12:30:00'],
    ['13:30:00', '18:00:00'],
  ] as const
  const openings = [1, 2, 3, 4, 5].flatMap((day) =>
    halves.map(([start_time, end_time]) => ({
      calendar_id: calendarId,
      id: randomUUID(),
      day_of_week: day,
      start_time,
      end_time,
    })),
  )
  await trx.insertInto('availability').values(openings).execute()
}

async function seedLocation(trx: Trx, userId: string, calendarId: string): Promise<string> {
  const id = randomUUID()
  await trx
    .insertInto('locations')
    .values({ id, user_id: userId, name: 'Riverside Practice', address: '14 Wharf Lane, London SE1 9PP' })
    .execute()
  await trx
    .insertInto('calendar_locations')
    .values({ calendar_id: calendarId, id: randomUUID(), location_id: id, is_primary: true })
    .execute()
  return id
}

type SeededType = {
  id: string
  name: string
  duration: number
  price_cents: number | null
  is_online: boolean
}

async function seedTypes(trx: Trx, calendarId: string, locationId: string): Promise<SeededType[]> {
  const types = [
    {
      name: 'First conversation',
      duration: 30,
      price: null,
      online: true,
      color: '#b45309',
      text: 'Get to know each other by video. Free.',
    },
    {
      name: 'Individual session',
      duration: 60,
      price: 9_000,
      online: false,
      color: '#0f766e',
      text: 'A full session at the practice.',
    },
    {
      name: 'Couples session',
      duration: 90,
      price: 13_500,
      online: false,
      color: '#7c3aed',
      text: 'For two, with time to hear both.',
    },
    {
      name: 'Online session',
      duration: 60,
      price: 8_000,
      online: true,
      color: '#0369a1',
      text: 'The same, wherever you are.',
    },
  ]
  const rows = types.map((type) => ({
    calendar_id: calendarId,
    id: randomUUID(),
    name: type.name,
    duration: type.duration,
    description: type.text,
    color: type.color,
    price_cents: type.price,
    stripe_price_id: null,
    is_online: type.online,
    location_id: type.online ? null : locationId,
    payment_required: false,
  }))
  await trx.insertInto('appointment_types').values(rows).execute()
  return rows
}

const CUSTOMERS = [
  ['Lena Fischer', 'lena.fischer@example.com', '+44 20 7946 0101'],
  ['Tomás Ribeiro', 'tomas.ribeiro@example.com', null],
  ['Priya Natarajan', 'priya.natarajan@example.com', '+44 20 7946 0144'],
  ['Owen Hughes', 'owen.hughes@example.com', null],
  ['Sofia Rossi', 'sofia.rossi@example.com', '+39 06 5550 1234'],
] as const

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
  trx: Trx,
  {
    calendarId,
    locationId,
    types,
    now,
  }: { calendarId: string; locationId: string; types: SeededType[]; now: Date },
): Promise<void> {
  const customerIds = CUSTOMERS.map(() => randomUUID())
  await trx
    .insertInto('customers')
    .values(
      CUSTOMERS.map(([name, email, phone], i) => ({
        calendar_id: calendarId,
        id: customerIds[i] ?? '',
        client_id: `C${now.getTime() - 5_000 + i}`,
        name,
        email,
        phone,
      })),
    )
    .execute()
  const today = localDateOf(now.getTime(), TIME_ZONE)
  const rows = APPOINTMENTS.flatMap(([workingDays, hour, typeIndex, customerIndex], i) => {
    const type = types[typeIndex]
    const customer = CUSTOMERS[customerIndex]
    if (type === undefined || customer === undefined) return []
    const startsAtMs = toEpochMs(workingDayFrom(today, workingDays), hour * HOUR_SECONDS, TIME_ZONE)
    const endsAt = new Date(startsAtMs + type.duration * 60_000)
    const blockedUntil = new Date(endsAt.getTime() + 10 * 60_000)
    const inPerson = !type.is_online
    return [
      {
        calendar_id: calendarId,
        id: randomUUID(),
        booking_reference: `BK-${now.getTime() - 5_000 + i}`,
        customer_id: customerIds[customerIndex] ?? '',
        customer_name: customer[0],
        customer_phone: customer[2],
        customer_time_zone: TIME_ZONE,
        starts_at: new Date(startsAtMs),
        ends_at: endsAt,
        time_zone: TIME_ZONE,
        blocked: sql<string>`tstzrange(${new Date(startsAtMs)}, ${blockedUntil})`,
        title: type.name,
        description: null,
        appointment_type_id: type.id,
        appointment_type_name: type.name,
        price_cents: type.price_cents,
        is_online: type.is_online,
        location_id: inPerson ? locationId : null,
        location_name: inPerson ? 'Riverside Practice' : null,
        location_address: inPerson ? '14 Wharf Lane, London SE1 9PP' : null,
        conflict_location_id: inPerson ? locationId : null,
        status: 'confirmed' as const,
        payment_status: type.price_cents === null ? ('not_required' as const) : ('pending' as const),
        created_at: now,
        updated_at: now,
      },
    ]
  })
  await trx.insertInto('appointments').values(rows).execute()
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
