import { randomUUID } from 'node:crypto'
import { appointmentTypeBody } from '#contract/availability/appointment-types.ts'
import { addLocationBody } from '#contract/availability/locations.ts'
import { createCalendarBody } from '#contract/calendars/calendars.ts'
import { DAY_MS } from '#core/shared/duration.ts'
import { addDays, localDateOf, toEpochMs } from '#core/shared/zoned-time.ts'
import { DEMO_LOGIN } from '#server/app/demo-account.ts'
import type { RouteDeps } from '#server/app/routes.ts'
import { createType, deleteType } from '#server/areas/availability/appointment-types/use-cases.ts'
import { addLocation } from '#server/areas/availability/locations/use-cases.ts'
import {
  addOpeningRange,
  changeSlotSettings,
  copyOpeningRangesOfDay,
  getAvailability,
  removeOpeningRange,
} from '#server/areas/availability/opening-hours/use-cases.ts'
import {
  disconnectAccountFromCalendar,
  upsertPaymentSettings,
} from '#server/areas/payments/accounts/repository.ts'
import { savePaymentSettings } from '#server/areas/payments/accounts/use-cases.ts'
import { insertAccount } from '#server/platform/auth/account-rows.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { createCalendar } from '#server/records/calendars/use-cases.ts'
import { DEMO_ACCOUNTS } from './demo/demo-providers.ts'
import { buildDepsInPast, type PastDeps, type PastMoment } from './demo/past-deps.ts'
import {
  DEMO_CUSTOMERS,
  type DemoTypeName,
  listDemoBookings,
  WEEKS_OF_PAST_BOOKINGS,
  WEEKS_SINCE_LAST_WALK,
} from './demo/story.ts'
import {
  DAYS_WITH_SENT_EMAILS,
  type DemoPractice,
  listPastActions,
  type PastAction,
  runPastActions,
} from './demo/tell-story.ts'

export const DEMO_SLUG = 'demo'

const TIME_ZONE = 'Europe/London'
/**
 * Age of the practice. Longer than the period with appointments, because the first booking was made before the first appointment.
 */
const OPENED_MS = (WEEKS_OF_PAST_BOOKINGS + 5) * 7 * DAY_MS

/** Fills a database without any account with a demo practice. Sends no email. */
export async function seedWhenEmpty(deps: RouteDeps): Promise<void> {
  const someone = await deps.db.selectFrom('profiles').select('id').limit(1).executeTakeFirst()
  if (someone === undefined) await seedPractice(deps)
}

/**
 * Creates a practice that has been open for half a year, by calling the use cases with past dates. Each call has its own
 * transaction, so a first start that is interrupted here leaves a practice without some of its appointments.
 */
async function seedPractice(present: RouteDeps): Promise<void> {
  const endMs = present.now()
  const past = buildDepsInPast(present, {
    refusedAddress: DEMO_CUSTOMERS.noor.email,
    toldSinceMs: endMs - DAYS_WITH_SENT_EMAILS * DAY_MS,
  })
  past.goTo(endMs - OPENED_MS)
  const practice = await openPractice(past.deps)
  const bookings = listDemoBookings(localDateOf(endMs, TIME_ZONE))
  await runPastActions(past, [
    ...bookings.flatMap((booking, index) =>
      listPastActions(past.deps, practice, { ...booking, index, endMs }),
    ),
    ...listReminderRounds(past, endMs),
    endWalks(past.deps, practice, endMs),
  ])
  past.goTo(endMs)
  await past.closeOldMessages()
  await past.tellOfFailures()
  await leaveProviders(past.deps, practice)
}

async function openPractice(deps: PastDeps): Promise<DemoPractice> {
  const ownerId = await seedOwner(deps)
  const { id: calendarId } = await createCalendar(deps, ownerId, createCalendarBody.parse(CALENDAR))
  await joinProviders(deps, { ownerId, calendarId })
  await seedWeek(deps, ownerId, calendarId)
  const typeIds = await seedTypes(deps, ownerId, calendarId)
  return { ownerId, calendarId, typeIds, slug: DEMO_SLUG, timeZone: TIME_ZONE }
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
 * Inserts the account and its plan directly: the use cases would need a link from an email and a plan granted by the operator.
 */
async function seedOwner(deps: PastDeps): Promise<OwnerId> {
  const id = randomUUID()
  const passwordHash = await deps.auth.hashPassword(DEMO_LOGIN.password)
  await inTransaction(deps.db, async (trx) => {
    await insertAccount(trx, { id, email: DEMO_LOGIN.email, fullName: 'Amara Osei', passwordHash })
    await trx.insertInto('subscriptions').values({ user_id: id, tier: 'business', ends_at: null }).execute()
  })
  // An `OwnerId` normally comes from a session; this new account has none yet.
  return id as OwnerId
}

type Scope = Pick<DemoPractice, 'ownerId' | 'calendarId'>

/** Inserts the provider accounts directly, because an owner connects an account with a browser that visits the provider. */
async function joinProviders(deps: PastDeps, { ownerId, calendarId }: Scope): Promise<void> {
  await savePaymentSettings(deps, ownerId, calendarId, {
    payment_required: true,
    paypal_client_id: DEMO_ACCOUNTS.paypalApp,
    paypal_client_secret: 'a secret of the demo app',
  })
  const connectedAt = new Date(deps.now())
  await inTransaction(deps.db, (trx) =>
    upsertPaymentSettings(trx, calendarId, {
      stripe_connected: true,
      stripe_account_id: DEMO_ACCOUNTS.stripe,
      stripe_connected_at: connectedAt,
      paypal_connected: true,
      paypal_merchant_id: DEMO_ACCOUNTS.paypal,
      payment_provider: 'stripe',
      updated_at: connectedAt,
    }),
  )
}

/**
 * Removes the payment providers from the practice, so that visitors can book without paying. The accounts stay connected at the
 * sandboxes, so that past payments can be refunded.
 */
async function leaveProviders(deps: PastDeps, { ownerId, calendarId }: Scope): Promise<void> {
  await savePaymentSettings(deps, ownerId, calendarId, { payment_required: false })
  await inTransaction(deps.db, async (trx) => {
    for (const provider of ['stripe', 'paypal'] as const) {
      const updatedAt = new Date(deps.now())
      await disconnectAccountFromCalendar(trx, calendarId, {
        provider,
        accountId: DEMO_ACCOUNTS[provider],
        updatedAt,
      })
    }
  })
}

/** Sets Monday to Friday with a lunch break, and ten minutes between appointments. */
async function seedWeek(deps: PastDeps, ownerId: OwnerId, calendarId: string): Promise<void> {
  const { availability } = await getAvailability(deps, ownerId, calendarId)
  for (const { id, day_of_week } of availability) {
    if (day_of_week === 1) await removeOpeningRange(deps, ownerId, { calendarId, id })
  }
  await addOpeningRange(deps, ownerId, calendarId, {
    day_of_week: 1,
    start_time: '09:00:00',
    end_time: '12:30:00',
  })
  await addOpeningRange(deps, ownerId, calendarId, {
    day_of_week: 1,
    start_time: '13:30:00',
    end_time: '18:00:00',
  })
  await copyOpeningRangesOfDay(deps, ownerId, calendarId, { from_day: 1, to_days: [2, 3, 4, 5] })
  await changeSlotSettings(deps, ownerId, calendarId, { buffer_time_minutes: 10 })
}

const LOCATION = { name: 'Riverside Practice', address: '14 Wharf Lane, London SE1 9PP' }

/** Prices are in euros. */
const TYPES = {
  first: {
    name: 'First conversation',
    duration: 30,
    price: null,
    is_online: true,
    color: '#b45309',
    description: 'Get to know each other by video. Free.',
  },
  individual: {
    name: 'Individual session',
    duration: 60,
    price: 90,
    is_online: false,
    color: '#0f766e',
    description: 'A full session at the practice.',
  },
  couples: {
    name: 'Couples session',
    duration: 90,
    wrap_up_minutes: 20,
    price: 135,
    is_online: false,
    color: '#7c3aed',
    description: 'For two, with time to hear both.',
  },
  online: {
    name: 'Online session',
    duration: 60,
    price: 80,
    is_online: true,
    color: '#0369a1',
    description: 'The same, wherever you are.',
  },
  walk: {
    name: 'Walking session',
    duration: 60,
    price: 75,
    is_online: false,
    color: '#4d7c0f',
    description: 'Along the river, while the evenings are long.',
  },
} as const satisfies Record<DemoTypeName, unknown>

async function seedTypes(
  deps: PastDeps,
  ownerId: OwnerId,
  calendarId: string,
): Promise<Record<DemoTypeName, string>> {
  const { location_id } = await addLocation(deps, ownerId, calendarId, addLocationBody.parse(LOCATION))
  const create = async (name: DemoTypeName) => {
    const type = TYPES[name]
    const body = appointmentTypeBody.parse({ ...type, location_id: type.is_online ? null : location_id })
    return (await createType(deps, ownerId, calendarId, body)).id
  }
  return {
    first: await create('first'),
    individual: await create('individual'),
    couples: await create('couples'),
    online: await create('online'),
    walk: await create('walk'),
  }
}

/** Deletes the appointment type for walks, which were offered in summer. Past appointments keep the type's name. */
function endWalks(deps: PastDeps, { ownerId, calendarId, typeIds }: DemoPractice, endMs: number): PastAction {
  const happen = () => deleteType(deps, ownerId, { calendarId, id: typeIds.walk })
  return { atMs: endMs - WEEKS_SINCE_LAST_WALK * 7 * DAY_MS, happen }
}

/**
 * Lists the times at which reminders are sent: on the last evenings and at the end, so that none is overdue when Meridian
 * starts.
 */
function listReminderRounds(past: PastMoment, endMs: number): PastAction[] {
  const today = localDateOf(endMs, TIME_ZONE)
  const evenings = [3, 2, 1].map((days) => toEpochMs(addDays(today, -days), 20 * 3_600, TIME_ZONE))
  return [...evenings, endMs].map((atMs) => ({ atMs, happen: past.remind }))
}
