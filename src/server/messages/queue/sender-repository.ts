import { sql } from 'kysely'
import { decideSenderTrustLevel, type SenderTrustLevel } from '#core/messages/sender-level.ts'
import { DAY_MS } from '#core/shared/duration.ts'
import type { Db } from '#server/platform/db/database.ts'

/**
 * The owner of a calendar, as the sender towards whose email limits messages to customers count. It is stored as JSON
 * in jobs.
 */
export type SendingOwner = {
  readonly ownerId: string
  readonly email: string
  readonly standing: SenderTrustLevel
}

/** Returns the sender of a calendar. Null when the calendar was deleted. */
export async function findSendingOwner(db: Db, calendarId: string, now: Date): Promise<SendingOwner | null> {
  const row = await db
    .selectFrom('calendars')
    .innerJoin('profiles', 'profiles.id', 'calendars.user_id')
    .leftJoin('subscriptions', (join) =>
      join
        .onRef('subscriptions.user_id', '=', 'profiles.id')
        .on((eb) => eb.or([eb('subscriptions.ends_at', 'is', null), eb('subscriptions.ends_at', '>', now)])),
    )
    .select(['profiles.id', 'profiles.email', 'profiles.created_at', 'subscriptions.tier'])
    .where('calendars.id', '=', calendarId)
    .executeTakeFirst()
  if (row === undefined) return null
  const account = { registeredAtMs: row.created_at.getTime(), hasBoughtPlan: row.tier !== null }
  return { ownerId: row.id, email: row.email, standing: decideSenderTrustLevel(account, now.getTime()) }
}

/**
 * Time after an appointment from which it counts as kept unless it was cancelled: the owner had time to mark it as a
 * no-show. Source: rule E6.
 */
const COUNTS_AS_KEPT_MS = DAY_MS

export type BookingHistory = {
  /** True when the customer of this appointment has kept or paid an earlier one on this calendar. Source: rule E6. */
  readonly isRegular: boolean
  /**
   * True when the confirmation of this booking had to wait, because its address had not responded to earlier emails.
   * Source: rule E4.
   */
  readonly isUntold: boolean
}

/** Returns the booking history of an appointment's customer on its calendar. */
export async function findBookingHistory(
  db: Db,
  key: { readonly calendarId: string; readonly appointmentId: string },
  now: Date,
): Promise<BookingHistory> {
  const keptBefore = new Date(now.getTime() - COUNTS_AS_KEPT_MS)
  const { rows } = await sql<{ is_regular: boolean; is_untold: boolean }>`
    select
      exists (
        select from appointments as kept
        where kept.calendar_id = this.calendar_id and kept.customer_id = this.customer_id
          and kept.status = 'confirmed' and kept.released_at is null and not kept.is_test and kept.ends_at < ${keptBefore}
      ) or exists (
        select from appointments as paid join payment_transactions as payment
          on payment.calendar_id = paid.calendar_id and payment.appointment_id = paid.id
        where paid.calendar_id = this.calendar_id and paid.customer_id = this.customer_id
          and payment.provider <> 'manual' and payment.status = 'completed'
      ) as is_regular,
      exists (
        select from appointment_messages as confirmation
        where confirmation.calendar_id = this.calendar_id and confirmation.appointment_id = this.id
          and confirmation.kind = 'booking_confirmation' and confirmation.state <> 'sent'
          and confirmation.waits_for = 'email_unanswered'
      ) as is_untold
    from appointments as this
    where this.calendar_id = ${key.calendarId} and this.id = ${key.appointmentId}`.execute(db)
  const [row] = rows
  return { isRegular: row?.is_regular ?? false, isUntold: row?.is_untold ?? false }
}
