import type { z } from 'zod'
import type {
  CustomerAppointment,
  CustomerAppointmentStatus,
  calendarFileQuery,
} from '#contract/appointments/customer-page.ts'
import type { ProblemCode } from '#contract/shared/problem.ts'
import { toCancellationTerms } from '#core/appointments/decide-refund.ts'
import { findLinkRefusal, type LinkRefusal, toLinkExpiryMs } from '#core/appointments/manage-link.ts'
import { LEGACY_POLICY } from '#core/appointments/policy.ts'
import {
  listFollowingAppointments,
  listSeriesAppointments,
} from '#server/areas/appointments/series/repository.ts'
import { buildCalendarFile } from '#server/messages/emails/calendar-file.ts'
import { withManageLink, withoutEnteredLinks } from '#server/messages/emails/customer-facts.ts'
import type { MailOrigin } from '#server/messages/emails/mail-origin.ts'
import { toMailFacts, toSignedLink } from '#server/messages/emails/to-mail-facts.ts'
import type { CustomerSessions, VerifiedCustomer } from '#server/platform/auth/customer-sessions.ts'
import type { Budgets } from '#server/platform/budgets/budgets.ts'
import { spendClientBudget } from '#server/platform/budgets/spend-client-budget.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Client } from '#server/platform/http/client-of-request.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import type { ManageLinks } from '#server/platform/secrets/manage-links.ts'
import type { MailAttachment } from '#server/ports/mailer.ts'
import type { Appointment } from '#server/records/appointments/appointment.ts'
import {
  findDetailsIncludingEndedHolds,
  listDetailsByIds,
  toLinkedAppointment,
} from '#server/records/appointments/details-repository.ts'
import { toPublicAppointment } from '#server/records/appointments/to-public-appointment.ts'
import type { AddressSettings } from '#server/records/hostnames/to-calendar-address.ts'

export type ManagedAppointmentsDeps = AddressSettings & {
  readonly db: Db
  readonly budgets: Pick<Budgets, 'spend' | 'find'>
  readonly manageLinks: ManageLinks
  readonly origin: MailOrigin
  readonly customerSessions: CustomerSessions
}

/** A signed link that a client has opened, and that client. */
export type OpenedLink = { readonly token: string; readonly client: Client }

/**
 * An opened link with the browser's cookies, which may contain the session of a customer who has entered an emailed
 * code.
 */
export type OpenedSession = OpenedLink & { readonly cookie: string | undefined }

const LINK_REFUSALS = {
  replaced: 'manage.replaced',
  ended: 'manage.ended',
  erased: 'manage.erased',
  given_back: 'manage.given_back',
} as const satisfies Record<LinkRefusal, ProblemCode>

/**
 * Returns the appointment that a signed link opens. Every operation below `/manage/{token}` starts with this. A forged
 * link counts towards the client's rate limit, without a database query on appointments. Source: rules R1 to R4.
 * @throws ProblemError `manage.*`
 */
export async function getLinkedAppointment(
  deps: Pick<ManagedAppointmentsDeps, 'db' | 'now' | 'budgets' | 'manageLinks'>,
  { token, client }: OpenedLink,
): Promise<Appointment> {
  const link = deps.manageLinks.read(token)
  if (link === null) {
    const spent = await spendClientBudget(deps.budgets, { budget: 'manage_links', client })
    if (spent !== null) throw new ProblemError('manage.too_many', [], spent.waitSeconds)
    throw new ProblemError('manage.not_found')
  }
  const details = await findDetailsIncludingEndedHolds(deps.db, link.appointmentId)
  if (details === null) throw new ProblemError('manage.not_found')
  const refusal = findLinkRefusal(link, toLinkedAppointment(details), deps.now())
  if (refusal !== null) throw new ProblemError(LINK_REFUSALS[refusal])
  return details
}

/**
 * Returns an appointment to its customer. Source: rule R5.
 * @throws ProblemError `manage.*`
 */
export async function getManagedAppointment(
  deps: ManagedAppointmentsDeps,
  opened: OpenedSession,
): Promise<CustomerAppointment> {
  const details = await getLinkedAppointment(deps, opened)
  const dates = await listDatesFrom(deps, details)
  return toManagedAppointment(deps, details, { cookie: opened.cookie, dates })
}

/** Converts an appointment to the fields of the customer's page. */
function toManagedAppointment(
  deps: ManagedAppointmentsDeps,
  details: Appointment,
  { cookie, dates }: { readonly cookie: string | undefined; readonly dates: readonly NumberedDate[] },
): CustomerAppointment {
  const { now, customerSessions } = deps
  const customer = findCustomerWithEmail(details)
  const standing = toCustomerStatus(details, now())
  return {
    appointment: toPublicAppointment(details, deps),
    standing,
    moved_from: details.moved_from?.toISOString() ?? null,
    customer: {
      name: details.customer_name,
      phone: details.customer_phone,
      email_hint: toEmailHint(details.customer_email),
    },
    cancellation: toCancellation(details, now()),
    following: toFollowing(dates, now()),
    can_change: canChangeDetails(standing),
    has_title: details.appointment_title_required,
    is_confirmed: customer !== null && customerSessions.isOpen(cookie, customer, now()),
    link_ends_at: new Date(toLinkExpiryMs(details.ends_at.getTime())).toISOString(),
  }
}

/** Returns the dates of a series, with the terms on which each can be cancelled. Source: rule B64. */
function toFollowing(dates: readonly NumberedDate[], nowMs: number): CustomerAppointment['following'] {
  return dates.map(({ date, number }) => {
    const { way, refund } = toCancellation(date, nowMs)
    return {
      number,
      starts_at: date.starts_at.toISOString(),
      standing: toCustomerStatus(date, nowMs),
      way,
      refund,
    }
  })
}

function toCancellation(details: Appointment, nowMs: number): CustomerAppointment['cancellation'] {
  const { policy, starts_at, status, payment_status, price_cents, refund_due_cents, currency } = details
  const { way, untilMs, refund } = toCancellationTerms(
    {
      policy: policy ?? LEGACY_POLICY,
      startsAtMs: starts_at.getTime(),
      refundShares: { most: details.most_refund_share, least: details.least_refund_share },
      paidCents: payment_status === 'paid' ? price_cents : null,
      status,
    },
    nowMs,
  )
  return {
    way,
    until: untilMs === null ? null : new Date(untilMs).toISOString(),
    refund: refund === null ? null : { percent: refund.percent ?? 0, amount: refund.cents / 100 },
    given_back: refund_due_cents === null ? null : refund_due_cents / 100,
    currency,
  }
}

/** Returns the customer with the email address to which codes are sent; null when they have none. */
export function findCustomerWithEmail(details: Appointment): VerifiedCustomer | null {
  const { calendar_id: calendarId, customer_id: customerId, customer_email: email } = details
  return email === null ? null : { calendarId, customerId, email }
}

/** Returns the status of an appointment as its customer sees it. Source: rule R5. */
export function toCustomerStatus(details: Appointment, nowMs: number): CustomerAppointmentStatus {
  const { status, starts_at, awaits_email_code, hold_expires_at } = details
  if (status === 'cancelled') return 'cancelled'
  if (status === 'pending_payment') {
    return awaits_email_code && hold_expires_at !== null ? 'awaits_email_code' : 'awaits_payment'
  }
  if (starts_at.getTime() <= nowMs) return 'past'
  return status === 'pending_cancellation' ? 'pending_cancellation' : 'upcoming'
}

/** True while the customer may still change the appointment's details. Source: rule R7. */
export function canChangeDetails(standing: CustomerAppointmentStatus): boolean {
  return standing === 'upcoming' || standing === 'pending_cancellation'
}

/**
 * Builds the calendar file of an appointment, or of its series. It has the same UID as the file in the emails, so that a calendar program does
 * not add a second entry. Source: rules R5 and M13.
 * @throws ProblemError `manage.*`
 */
export async function getManagedCalendarFile(
  deps: ManagedAppointmentsDeps,
  opened: OpenedLink,
  { of }: z.output<typeof calendarFileQuery>,
): Promise<MailAttachment> {
  const details = await getLinkedAppointment(deps, opened)
  const standing = toCustomerStatus(details, deps.now())
  if (!canChangeDetails(standing) && standing !== 'past') throw new ProblemError('manage.not_booked')
  const toFacts = (each: Appointment) =>
    withManageLink(withoutEnteredLinks(toMailFacts(each, deps)), toSignedLink(deps, each))
  const dates = of === 'series' ? await listDatesFrom(deps, details) : []
  const others = dates.flatMap(({ date }) => (date.id === details.id ? [] : [toFacts(date)]))
  const facts = { ...toFacts(details), otherDates: others }
  return buildCalendarFile(facts, deps.origin, 'customer-copy')
}

/** A date of a series, with its number in it. */
type NumberedDate = { readonly date: Appointment; readonly number: number }

/** Lists an appointment and the later dates of its series that are booked and ahead, in order; empty for a single appointment. */
async function listDatesFrom(
  { db, now }: Pick<ManagedAppointmentsDeps, 'db' | 'now'>,
  { id, calendar_id: calendarId, series_id: seriesId }: Appointment,
): Promise<NumberedDate[]> {
  if (seriesId === null) return []
  const series = { calendarId, id: seriesId }
  const own = (await listSeriesAppointments(db, series)).find((date) => date.id === id)
  const from = own?.series_number ?? 1
  const ahead = await listFollowingAppointments(db, series, { from, now: new Date(now()) })
  const numbers = new Map(ahead.map((date) => [date.id, date.series_number ?? 0]))
  const dates = await listDetailsByIds(db, calendarId, [...numbers.keys()])
  return dates.map((date) => ({ date, number: numbers.get(date.id) ?? 0 }))
}

/**
 * Returns a hint such as `g•••@example.com`, which shows a customer which mailbox to open, without showing the address
 * to others.
 */
function toEmailHint(email: string | null): string | null {
  if (email === null) return null
  const at = email.lastIndexOf('@')
  return `${[...email].slice(0, 1).join('')}•••${email.slice(at)}`
}
