import { createOwnAppointmentBody } from '#contract/appointments/owner-booking.ts'
import { createCheckoutBody } from '#contract/payments/checkouts.ts'
import type { AppointmentAction } from '#core/appointments/appointment-actions.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#core/shared/duration.ts'
import { addDays, localDateOf, toEpochMs } from '#core/shared/zoned-time.ts'
import { markNoShow } from '#server/areas/appointments/actions/no-show-use-cases.ts'
import { performOwnerAction } from '#server/areas/appointments/actions/use-cases.ts'
import { createOwnAppointment } from '#server/areas/appointments/bookings/owner-booking.ts'
import { requestCancellation } from '#server/areas/appointments/bookings/use-cases.ts'
import { createCheckout } from '#server/areas/payments/checkouts/create-checkout.ts'
import { settleWithProvider } from '#server/areas/payments/checkouts/settle-with-provider.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import { findPaymentOfAppointment } from '#server/records/ledger/ledger-repository.ts'
import type { PastDeps, PastMoment } from './past-deps.ts'
import { DEMO_CUSTOMERS, type DemoBooking, type DemoTypeName } from './story.ts'

export type DemoPractice = {
  readonly ownerId: OwnerId
  readonly calendarId: string
  readonly slug: string
  readonly timeZone: string
  readonly typeIds: Readonly<Record<DemoTypeName, string>>
}

/** An action at a moment, in milliseconds since the epoch. */
export type PastAction = { readonly atMs: number; readonly happen: () => Promise<unknown> }

/** A payment by hand is recorded this long after the appointment's start. Appointments of the last days are still unpaid. */
const PAID_AFTER_MS = 3 * HOUR_MS
const OWED_MS = 8 * DAY_MS
/** How long before its start an appointment is cancelled. */
const CANCELLED_BEFORE_MS = 36 * HOUR_MS
/** The minimum age of a booking at the end of the story. */
const YOUNGEST_BOOKING_MS = 26 * HOUR_MS
/** Number of days before today whose emails are sent. Nobody looks at earlier ones. */
export const DAYS_WITH_SENT_EMAILS = 6

/** Performs all actions at their times, the earliest first, and sends the queued messages in between. */
export async function runPastActions(past: PastMoment, happenings: readonly PastAction[]): Promise<void> {
  for (const { atMs, happen } of happenings.toSorted((a, b) => a.atMs - b.atMs)) {
    past.goTo(atMs)
    await happen()
    await past.deliver()
  }
}

/** Lists all actions on one booking until the end of the story: it is made, paid, and perhaps cancelled. */
export function listPastActions(
  deps: PastDeps,
  practice: DemoPractice,
  booking: DemoBooking & { readonly index: number; readonly endMs: number },
): PastAction[] {
  const { date, time, pays, turn, index, endMs } = booking
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  const startsAtMs = toEpochMs(date, (hour * 60 + minute) * 60, practice.timeZone)
  const bookedAtMs = toBookedAtMs(booking, startsAtMs, practice.timeZone)
  const isAtOnce = pays !== 'by_hand'
  // Set by the booking, which is the first action.
  let appointmentId = ''
  const act = (action: AppointmentAction) => () =>
    performOwnerAction(
      deps,
      practice.ownerId,
      { calendarId: practice.calendarId, id: appointmentId },
      { action },
    )
  const book: PastAction = {
    atMs: bookedAtMs,
    happen: async () => {
      const isTold = date >= addDays(localDateOf(endMs, practice.timeZone), -DAYS_WITH_SENT_EMAILS)
      appointmentId = isAtOnce
        ? await bookAndPay(deps, practice, { ...booking, pays, startsAtMs })
        : await bookByPhone(deps, practice, { ...booking, startsAtMs, isTold })
    },
  }
  const later: PastAction[] = []
  if (turn === 'cancelled') later.push({ atMs: startsAtMs - CANCELLED_BEFORE_MS, happen: act('cancel') })
  if (turn === 'refunded') {
    // A customer who pays by hand has paid in advance.
    if (!isAtOnce) later.push({ atMs: bookedAtMs + MINUTE_MS, happen: act('mark_paid') })
    const atMs = Math.max(startsAtMs - CANCELLED_BEFORE_MS, bookedAtMs + HOUR_MS)
    later.push({ atMs, happen: act('refund') })
  }
  if (turn === 'no_show') {
    const { ownerId, calendarId } = practice
    const happen = () => markNoShow(deps, ownerId, { calendarId, id: appointmentId }, true)
    later.push({ atMs: startsAtMs + HOUR_MS, happen })
  }
  if (turn === 'asks_to_cancel') {
    later.push({ atMs: endMs - 2 * HOUR_MS, happen: () => requestCancellation(deps, appointmentId) })
  }
  const isPaidByHand = !isAtOnce && turn === null && booking.type !== 'first' && index % 17 !== 0
  if (isPaidByHand && startsAtMs < endMs - OWED_MS) {
    later.push({ atMs: startsAtMs + PAID_AFTER_MS, happen: act('mark_paid') })
  }
  return [book, ...later]
}

/**
 * Chooses when a booking was made: between 08:00 and 20:00, each at a different minute. Future appointments were also booked some
 * time ago.
 */
function toBookedAtMs(
  { date, leadDays, index, endMs }: DemoBooking & { readonly index: number; readonly endMs: number },
  startsAtMs: number,
  timeZone: string,
): number {
  const minuteOfDay = 8 * 60 + ((index * 97) % (12 * 60))
  const latestMs = Math.min(startsAtMs - HOUR_MS, endMs - YOUNGEST_BOOKING_MS - index * MINUTE_MS)
  return Math.min(toEpochMs(addDays(date, -leadDays), minuteOfDay * 60, timeZone), latestMs)
}

type Start = DemoBooking & { readonly startsAtMs: number }

async function bookByPhone(
  deps: PastDeps,
  { ownerId, calendarId, typeIds }: DemoPractice,
  { type, customer, startsAtMs, isTold }: Start & { readonly isTold: boolean },
): Promise<string> {
  const body = createOwnAppointmentBody.parse({
    appointment_type_id: typeIds[type],
    starts_at: new Date(startsAtMs).toISOString(),
    customer: DEMO_CUSTOMERS[customer],
    notify_customer: isTold,
  })
  return (await createOwnAppointment(deps, ownerId, { calendarId, key: null, body })).id
}

async function bookAndPay(
  deps: PastDeps,
  { ownerId, calendarId, slug, typeIds, timeZone }: DemoPractice,
  { type, customer, startsAtMs, pays }: Start,
): Promise<string> {
  const body = createCheckoutBody.parse({
    appointment_type_id: typeIds[type],
    starts_at: new Date(startsAtMs).toISOString(),
    time_zone: timeZone,
    customer: DEMO_CUSTOMERS[customer],
    provider: pays,
  })
  // Attributed to the owner, because rate limits do not count the owner's own bookings. Source: rule H12.
  const caller = { client: { address: 'demo', network: null }, ownerId }
  const { appointment_id: id } = await createCheckout(deps, { slug, key: null, body, caller })
  const payment = await findPaymentOfAppointment(deps.db, { calendarId, id })
  if (payment !== null) await settleWithProvider(deps, payment, 'findCheckout')
  return id
}
