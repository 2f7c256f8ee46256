import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import type {
  Calendar,
  createCalendarBody,
  FutureAppointmentsSummary,
  PublicCalendar,
  PublicPaymentProviders,
} from '#contract/calendars/calendars.ts'
import { DEFAULT_TIME_ZONE } from '#contract/shared/limits.ts'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { toSlotSettings } from '#contract/slots/slot-settings.ts'
import { initialsOf, toProfessionalNames } from '#core/accounts/person-name.ts'
import { describePolicy } from '#core/appointments/describe-policy.ts'
import { toProfessionalName } from '#core/calendars/professional-name.ts'
import { describeSandboxes } from '#core/payments/provider-names.ts'
import { omitUndefined } from '#core/shared/defined-fields.ts'
import { isSameName } from '#core/shared/same-name.ts'
import { isTimeZone } from '#core/shared/zoned-time.ts'
import type { SlotRules } from '#core/slots/slot-rules.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import type { JobQueue } from '#server/platform/jobs/job-queue.ts'
import type { PaymentProviders } from '#server/ports/payment-provider.ts'
import { announceClosedCalendar } from '#server/records/freed-times/use-cases.ts'
import { type AddressSettings, toPublicUrl } from '#server/records/hostnames/to-calendar-address.ts'
import { listPublicQuestions } from '#server/records/questions/repository.ts'
import { loadBookableFields } from '#server/records/slots/bookable-dates.ts'
import { hasPaypalInPlan } from '#server/records/subscription/plan-repository.ts'
import { getPlan, refuseCalendarOverLimit } from '#server/records/subscription/use-cases.ts'
import { deletePeopleWithoutCalendar, insertPerson, listPeople, type Person } from './person-repository.ts'
import { applyCalendarLimit } from './plan-use-cases.ts'
import {
  type CalendarRow,
  type CalendarSlotRules,
  countFutureAppointments,
  deleteCalendarRow,
  findCalendar,
  findCalendarBySlug,
  findEmbedSites,
  findNextAppointment,
  findPaymentProviders,
  findPrimaryLocation,
  findSlotRules,
  insertCalendar,
  insertOpenings,
  listCalendars,
  lockCalendar,
  lockCalendarForDeletion,
  lockOwner,
  updateCalendarRow,
} from './repository.ts'
import { reserveSlugFor, reserveTypedSlug } from './reserve-slug.ts'
import { type OwnCalendar, toCalendar, toOwnCalendar } from './to-calendar.ts'
import { toStoredTimeZone } from './to-stored-time-zone.ts'

/**
 * The state of a calendar's payments before its payment account is removed or the calendar is deleted. `ended`: none is
 * open. `under_way`: a customer is paying. `unanswered`: money may have moved or is being refunded, and the provider
 * does not respond. `unknown`: the provider does not respond about a checkout, but we can still ask later, or the
 * checkout takes no money without us. Source: rules P16 and P17.
 */
export type OpenCheckoutStatus = 'ended' | 'unknown' | 'unanswered' | 'under_way'

export type CalendarsDeps = AddressSettings & {
  readonly jobs: Pick<JobQueue, 'insert'>
  readonly db: Db
  /** The product's own email address. Reminders come from it unless the owner sets another sender. */
  readonly mailFrom: string
  readonly providers: PaymentProviders
  /**
   * Closes all open checkouts of a calendar that is about to be deleted. It is slow, because it calls the payment
   * providers.
   */
  readonly endCheckouts: (calendarId: string) => Promise<OpenCheckoutStatus>
  /**
   * Queues emails to the customers of a calendar that is being deleted, in the deleting transaction. That transaction
   * also ends unpaid holds.
   */
  readonly announceClosed: (trx: Trx, calendarId: string) => Promise<void>
  /**
   * In the transaction that creates a calendar, makes it write to the same external calendar as the person's other
   * calendars.
   */
  readonly startWriting: (
    trx: Trx,
    calendar: { readonly ownerId: OwnerId; readonly calendarId: string },
  ) => Promise<void>
  /**
   * In the transaction that changes the calendar's zone, schedules another read of the external calendars that have no
   * time zone of their own.
   */
  readonly readInNewZone: (
    trx: Trx,
    calendar: { readonly ownerId: OwnerId; readonly calendarId: string },
  ) => Promise<void>
}

/**
 * The opening hours of a new calendar: Monday to Friday 09:00–17:00, so that its link works at once. Source: rule T28.
 */
const FIRST_WEEK = [1, 2, 3, 4, 5].map((day) => ({
  day_of_week: day,
  start_time: '09:00:00',
  end_time: '17:00:00',
}))

export async function listOwnCalendars(deps: CalendarsDeps, ownerId: OwnerId): Promise<Calendar[]> {
  return (await listCalendars(deps.db, ownerId)).map((row) => toCalendar(row, deps))
}

/**
 * Returns one of the owner's calendars, as other folders use it. Source: rule C10.
 * @throws ProblemError `calendar.not_found`, `calendar.forbidden` when it belongs to another owner
 */
export async function getOwnCalendar(
  deps: Pick<CalendarsDeps, 'db'>,
  ownerId: OwnerId,
  id: string,
): Promise<OwnCalendar> {
  return toOwnCalendar(await getOwnRow(deps.db, ownerId, id))
}

/**
 * Returns one of the owner's calendars with all of its settings.
 * @throws ProblemError `calendar.not_found`, `calendar.forbidden`
 */
export async function getCalendarSettings(
  deps: Pick<CalendarsDeps, 'db' | 'mailFrom'> & AddressSettings,
  ownerId: OwnerId,
  id: string,
): Promise<Calendar> {
  return toCalendar(await getOwnRow(deps.db, ownerId, id), deps)
}

/**
 * Counts the future appointments of a calendar. Their customers get an email when the calendar is deleted.
 * @throws ProblemError `calendar.not_found`, `calendar.forbidden`
 */
export async function getCalendarOutlook(
  deps: Pick<CalendarsDeps, 'db' | 'now'>,
  ownerId: OwnerId,
  id: string,
): Promise<FutureAppointmentsSummary> {
  const { timezone, hour_cycle } = await getOwnRow(deps.db, ownerId, id)
  const now = new Date(deps.now())
  const { total, without_email, paid } = await countFutureAppointments(deps.db, id, now)
  const next = total === 0 ? null : await findNextAppointment(deps.db, id, now)
  const zone = next?.customer_time_zone ?? timezone
  return {
    future_appointments: total,
    without_email,
    paid,
    next_appointment: next && {
      customer_name: next.customer_name,
      starts_at: next.starts_at.toISOString(),
      time_zone: isTimeZone(zone) ? zone : timezone,
      hour_cycle,
    },
  }
}

async function getOwnRow(db: Db, ownerId: OwnerId, id: string): Promise<CalendarRow> {
  const row = await findCalendar(db, id)
  if (row === null) throw new ProblemError('calendar.not_found')
  if (row.user_id !== ownerId) throw new ProblemError('calendar.forbidden')
  return row
}

/**
 * Returns the slot rules of one of the owner's calendars.
 * @throws ProblemError `calendar.not_found`, `calendar.forbidden`
 */
export async function getOwnSlotRules(db: Db, ownerId: OwnerId, id: string): Promise<SlotRules> {
  return refuseForeign(await findSlotRules(db, id), ownerId).rules
}

/**
 * Locks one of the owner's calendars before a change, and returns its slot rules. This is always the first lock, as it
 * is in a booking, so a booking sees the whole change or none of it.
 * @throws ProblemError `calendar.not_found`, `calendar.forbidden`
 */
export async function lockOwnCalendar(trx: Trx, ownerId: OwnerId, id: string): Promise<SlotRules> {
  return refuseForeign(await lockCalendar(trx, ownerId, id), ownerId).rules
}

/**
 * Locks the owner's account until the transaction ends, so that changes of its calendars and people happen one after
 * the other. This lock is always taken before that of a calendar.
 * @throws ProblemError `auth.required` when the account was deleted while this request was running
 */
export async function lockAccount(trx: Trx, ownerId: OwnerId): Promise<void> {
  if ((await lockOwner(trx, ownerId)) === null) throw new ProblemError('auth.required')
}

/**
 * Sets whether customers can pay online, and whether they must pay when they book. The caller has locked the calendar.
 * Source: rule F1.
 */
export async function setPaymentTerms(
  trx: Trx,
  ownerId: OwnerId,
  id: string,
  terms: {
    readonly payment_enabled: boolean | undefined
    readonly payment_required: boolean | undefined
    readonly changedAt: Date
  },
): Promise<void> {
  const { changedAt, payment_enabled, payment_required } = terms
  if (payment_enabled === undefined && payment_required === undefined) return
  await updateCalendarRow(trx, ownerId, id, {
    ...omitUndefined({ payment_enabled, payment_required }),
    updated_at: changedAt,
  })
}

/** Stores the branding of the booking page, as JSON. The caller has locked the calendar. */
export async function setBranding(
  trx: Trx,
  ownerId: OwnerId,
  id: string,
  { settings, changedAt }: { settings: string; changedAt: Date },
): Promise<void> {
  await updateCalendarRow(trx, ownerId, id, { branding_settings: settings, updated_at: changedAt })
}

/** Stores the slot rules. The caller has locked the calendar. */
export async function setSlotRules(
  trx: Trx,
  ownerId: OwnerId,
  id: string,
  { rules, changedAt }: { rules: SlotRules; changedAt: Date },
): Promise<void> {
  await updateCalendarRow(trx, ownerId, id, {
    ...toSlotSettings(rules),
    updated_at: changedAt,
  })
}

/**
 * Refuses a calendar that does not exist or belongs to another owner.
 * @throws ProblemError `calendar.not_found`, `calendar.forbidden`
 */
function refuseForeign(calendar: CalendarSlotRules | null, ownerId: OwnerId): CalendarSlotRules {
  if (calendar === null) throw new ProblemError('calendar.not_found')
  if (calendar.user_id !== ownerId) throw new ProblemError('calendar.forbidden')
  return calendar
}

/**
 * Creates a calendar that can be booked at once. Source: rule C1.
 * @throws ProblemError `calendar.limit_reached`, `calendar.slug_*`, `calendar.time_zone_unknown`
 */
export async function createCalendar(
  deps: CalendarsDeps,
  ownerId: OwnerId,
  body: z.output<typeof createCalendarBody>,
): Promise<Calendar> {
  return inTransaction(deps.db, (trx) => createCalendarWithin(deps, trx, ownerId, body))
}

/**
 * Like `createCalendar`, in the caller's transaction.
 * @throws ProblemError `calendar.limit_reached`, `calendar.slug_*`, `calendar.time_zone_unknown`
 */
export async function createCalendarWithin(
  deps: CalendarsDeps,
  trx: Trx,
  ownerId: OwnerId,
  body: z.output<typeof createCalendarBody>,
): Promise<Calendar> {
  const timeZone = toStoredTimeZone(body.timezone ?? DEFAULT_TIME_ZONE)
  const id = randomUUID()
  const createdAt = new Date(deps.now())
  const owner = await lockOwner(trx, ownerId)
  // The account was deleted while this request was running.
  if (owner === null) throw new ProblemError('auth.required')
  await refuseCalendarOverLimit(deps, trx, ownerId, { calendarCount: owner.calendarCount, now: createdAt })
  const person = await getOrCreatePerson(trx, ownerId, { name: body.person_name, createdAt })
  const professional = person.isOwner
    ? { professional_first_name: owner.first_name, professional_last_name: owner.last_name }
    : toProfessionalNames(person.name)
  const slug =
    body.slug === '' ? await reserveSlugFor(trx, body.name) : await reserveTypedSlug(trx, body.slug)
  await insertCalendar(trx, ownerId, {
    id,
    host_id: person.id,
    slug,
    name: body.name,
    description: body.description || null,
    color: body.color,
    category: body.category || null,
    professional_first_name: professional.professional_first_name || null,
    professional_last_name: professional.professional_last_name || null,
    timezone: timeZone,
    hour_cycle: body.hour_cycle,
    appointment_title_required: body.appointment_title_required,
    default_appointment_title: body.default_appointment_title,
    payment_required: body.payment_required,
    created_at: createdAt,
  })
  await insertOpenings(
    trx,
    id,
    FIRST_WEEK.map((opening) => ({ ...opening, id: randomUUID() })),
  )
  await deps.startWriting(trx, { ownerId, calendarId: id })
  return getCalendarSettings({ ...deps, db: trx }, ownerId, id)
}

/**
 * Deletes a calendar and everything in it. Customers of future appointments get an email. If the plan's limit had
 * paused another calendar, that one may reopen. Source: rules C9 and S13.
 * @throws ProblemError `calendar.not_found`, `calendar.forbidden`, `payment.deletion_under_way`,
 * `payment.deletion_unanswered`
 */
export async function deleteCalendar(deps: CalendarsDeps, ownerId: OwnerId, id: string): Promise<void> {
  await getOwnRow(deps.db, ownerId, id)
  await endCheckoutsOf(deps, id)
  await inTransaction(deps.db, async (trx) => {
    // Lock the account before the calendar, in the same order as all code that pauses or reopens calendars.
    await lockOwner(trx, ownerId)
    refuseForeign(await lockCalendarForDeletion(trx, id), ownerId)
    await closeCalendar(deps, trx, ownerId, id)
    const now = new Date(deps.now())
    const { plan } = await getPlan(deps, trx, ownerId, now)
    await applyCalendarLimit(deps, trx, ownerId, { limit: plan.calendarLimit, now })
  })
}

/**
 * Closes the open checkouts of all calendars of an owner, before they are deleted.
 * @throws ProblemError `payment.deletion_under_way`, `payment.deletion_unanswered`
 */
export async function closeCheckoutsOfOwner(
  deps: Pick<CalendarsDeps, 'db' | 'endCheckouts'>,
  ownerId: OwnerId,
): Promise<void> {
  for (const { id } of await listCalendars(deps.db, ownerId)) await endCheckoutsOf(deps, id)
}

/**
 * Closes the open checkouts of a calendar. The keys for capturing and refunding payments are deleted with the calendar,
 * so the deletion has to wait while a payment is in progress: at most half an hour, the length of a hold. Source: rule
 * P16.
 * @throws ProblemError `payment.deletion_under_way`, `payment.deletion_unanswered`
 */
async function endCheckoutsOf(deps: Pick<CalendarsDeps, 'endCheckouts'>, id: string): Promise<void> {
  const left = await deps.endCheckouts(id)
  if (left === 'under_way') throw new ProblemError('payment.deletion_under_way')
  if (left === 'unanswered') throw new ProblemError('payment.deletion_unanswered')
}

type ClosingDeps = Pick<CalendarsDeps, 'announceClosed' | 'jobs' | 'now'>

/** Deletes all calendars of an account that is locked and about to be deleted. Source: rule D4. */
export async function deleteAllCalendars(deps: ClosingDeps, trx: Trx, ownerId: OwnerId): Promise<void> {
  for (const { id } of await listCalendars(trx, ownerId)) {
    await lockCalendarForDeletion(trx, id)
    await closeCalendar(deps, trx, ownerId, id)
  }
}

/** Deletes a locked calendar and queues the emails to its customers, in the same transaction. */
async function closeCalendar(deps: ClosingDeps, trx: Trx, ownerId: OwnerId, id: string): Promise<void> {
  await deps.announceClosed(trx, id)
  await announceClosedCalendar(deps, trx, { calendarId: id, now: new Date(deps.now()) })
  await deleteCalendarRow(trx, ownerId, id)
  await deletePeopleWithoutCalendar(trx, ownerId)
}

/**
 * Returns the data of a calendar that anybody with the link may see. `linkedTypeId` is the type of the link that they opened.
 * @throws ProblemError `calendar.not_found`
 */
export async function getPublicCalendar(
  deps: Pick<CalendarsDeps, 'db'> & AddressSettings,
  slug: string,
  linkedTypeId: string | null = null,
): Promise<PublicCalendar> {
  return (await getBookingPageCalendar(deps, slug, linkedTypeId)).calendar
}

/** A calendar with everything that its booking page needs, loaded with one query. */
export type BookingPageCalendar = {
  readonly calendar: PublicCalendar
  /** True when the owner has set branding, whether the page shows it or not. */
  readonly hasBranding: boolean
  /** The sites that may embed the page in a frame; null allows any site. Source: rule W19. */
  readonly embedSites: readonly string[] | null
}

/**
 * Returns a calendar for its booking page.
 * @throws ProblemError `calendar.not_found`
 */
export async function getBookingPageCalendar(
  deps: Pick<CalendarsDeps, 'db'> & AddressSettings,
  slug: string,
  linkedTypeId: string | null,
): Promise<BookingPageCalendar> {
  const row = await findCalendarBySlug(deps.db, slug)
  if (row === null) throw new ProblemError('calendar.not_found')
  return {
    calendar: await toPublicCalendar(deps, row, linkedTypeId),
    hasBranding: Object.keys(row.branding_settings).length > 0,
    embedSites: row.embed_sites,
  }
}

async function toPublicCalendar(
  deps: Pick<CalendarsDeps, 'db'> & AddressSettings,
  row: CalendarRow,
  linkedTypeId: string | null,
): Promise<PublicCalendar> {
  const calendar = toOwnCalendar(row)
  const isPaused = row.is_paused || !row.takes_bookings
  const toFields = await loadBookableFields(deps.db, calendar, [row.booking_window], deps.now())
  return {
    calendar_id: calendar.id,
    slug: calendar.slug,
    calendar_name: calendar.name,
    calendar_description: calendar.description,
    calendar_color: calendar.color,
    public_url: toPublicUrl(row, deps),
    created_at: calendar.created_at,
    updated_at: calendar.updated_at,
    appointment_title_required: calendar.appointment_title_required,
    default_appointment_title: calendar.default_appointment_title,
    professional_first_name: calendar.professional_first_name,
    professional_last_name: calendar.professional_last_name,
    professional_initials: initialsOf(
      toProfessionalName(calendar.professional_first_name, calendar.professional_last_name) ?? calendar.name,
    ),
    category: calendar.category,
    payment_required: calendar.payment_required,
    email_confirmation_required: calendar.email_confirmation_required,
    timezone: calendar.timezone,
    hour_cycle: calendar.hour_cycle,
    ...toFields(row.booking_window),
    questions: row.has_questions ? await listPublicQuestions(deps.db, calendar.id, linkedTypeId) : [],
    location: await findPrimaryLocation(deps.db, calendar.id),
    policy: calendar.policy,
    policy_text: describePolicy(calendar.policy, { hasPrice: false }),
    is_paused: isPaused,
    closed_text: isPaused
      ? PROBLEMS['calendar.paused'].title
      : row.is_by_link_only
        ? 'To book here, you need a link to an appointment type. Please ask for one.'
        : null,
  }
}

/** Lists the sites that may embed this booking link in a frame; null allows any site. Source: rule W19. */
export function listEmbedSites(
  { db }: Pick<CalendarsDeps, 'db'>,
  slug: string,
): Promise<readonly string[] | null> {
  return findEmbedSites(db, slug)
}

/**
 * Returns the payment providers of a public calendar.
 * @throws ProblemError `calendar.not_found`
 */
export async function getPublicPaymentProviders(
  deps: Pick<CalendarsDeps, 'db' | 'providers' | 'now' | 'defaultTier'>,
  slug: string,
): Promise<PublicPaymentProviders> {
  const calendar = await findCalendarBySlug(deps.db, slug)
  if (calendar === null) throw new ProblemError('calendar.not_found')
  return getOfferedPaymentProviders(deps, calendar.id)
}

/**
 * Returns the payment providers that customers of a calendar can use. On a plan without PayPal, PayPal stays connected
 * but is not offered. Source: rule S13.
 */
export async function getOfferedPaymentProviders(
  deps: Pick<CalendarsDeps, 'db' | 'providers' | 'now' | 'defaultTier'>,
  calendarId: string,
): Promise<PublicPaymentProviders> {
  const { db, providers } = deps
  const settings = await findPaymentProviders(db, calendarId)
  const { payment_enabled, paypal_mode: mode } = settings
  // Hide the account while the owner has turned online payments off; it stays connected. Source: rule F1.
  const stripe_connected = payment_enabled && settings.stripe_connected
  const paypal_connected =
    payment_enabled &&
    settings.paypal_connected &&
    (await hasPaypalInPlan(deps, db, calendarId, new Date(deps.now())))
  const ways = [
    ...(stripe_connected ? [{ name: 'Credit Card', isSandbox: providers.stripe?.isSandbox(null) }] : []),
    ...(paypal_connected ? [{ name: 'PayPal', isSandbox: providers.paypal?.isSandbox({ mode }) }] : []),
  ]
  return { stripe_connected, paypal_connected, note: describeSandboxes(ways) }
}

/** Returns the payment providers that are connected to a calendar, whether customers are offered them or not. */
export async function getConnectedProviders(
  { db }: Pick<CalendarsDeps, 'db'>,
  calendarId: string,
): Promise<Pick<PublicPaymentProviders, 'stripe_connected' | 'paypal_connected'>> {
  const { stripe_connected, paypal_connected } = await findPaymentProviders(db, calendarId)
  return { stripe_connected, paypal_connected }
}

/**
 * Returns the person with this name, creating one if needed. An empty name means the owner. The caller has locked the
 * account. Source: rule T38.
 */
export async function getOrCreatePerson(
  trx: Trx,
  ownerId: OwnerId,
  { name, createdAt }: { readonly name: string; readonly createdAt: Date },
): Promise<Person> {
  const people = await listPeople(trx, ownerId)
  const known = people.find((person) => (name === '' ? person.isOwner : isSameName(person.name, name)))
  if (known !== undefined) return known
  const id = randomUUID()
  await insertPerson(trx, ownerId, { id, name, createdAt })
  return { id, name, isOwner: false }
}
