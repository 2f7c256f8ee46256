import type { PublicAppointment } from '#contract/appointments/bookings.ts'
import { findChangeDeadlines } from '#core/appointments/check-policy.ts'
import { describeBookedPolicy } from '#core/appointments/describe-policy.ts'
import { LEGACY_POLICY } from '#core/appointments/policy.ts'
import { SANDBOX_LABEL } from '#core/payments/provider-names.ts'
import { localDateOf, localTimeOf } from '#core/shared/zoned-time.ts'
import { type AddressSettings, toPublicUrl } from '#server/records/hostnames/to-calendar-address.ts'
import type { BookedAppointment } from './appointment.ts'

/**
 * Returns the data that anybody with the appointment's id may see: no email address, no phone number, no client id.
 * Source: rule B18.
 */
export function toPublicAppointment(
  row: BookedAppointment,
  settings: AddressSettings & { readonly now: () => number },
): PublicAppointment {
  const startsAtMs = row.starts_at.getTime()
  const endsAtMs = row.ends_at.getTime()
  const { moveUntilMs, cancelUntilMs } = findChangeDeadlines(row.policy ?? LEGACY_POLICY, startsAtMs)
  return {
    id: row.id,
    booking_reference: row.booking_reference,
    status: row.status,
    payment_status: row.payment_status,
    confirm_email_until: toConfirmationEnd(row),
    date: localDateOf(startsAtMs, row.time_zone),
    start_time: localTimeOf(startsAtMs, row.time_zone),
    end_time: localTimeOf(endsAtMs, row.time_zone),
    starts_at: row.starts_at.toISOString(),
    ends_at: row.ends_at.toISOString(),
    is_moved: row.moved_from !== null,
    time_zone: row.time_zone,
    hour_cycle: row.hour_cycle,
    customer_time_zone: row.customer_time_zone,
    title: row.title,
    description: row.description,
    category: row.category,
    calendar_slug: row.slug,
    calendar_name: row.calendar_name,
    calendar_category: row.category,
    calendar_color: row.color,
    calendar_location: row.calendar_location,
    public_url: toPublicUrl(row, settings),
    professional_first_name: row.professional_first_name,
    professional_last_name: row.professional_last_name,
    appointment_type_id: row.appointment_type_id,
    appointment_type_name: row.appointment_type_name,
    appointment_type_price: row.price_cents === null ? null : row.price_cents / 100,
    fee_note: row.fee_note,
    policy_text: describeBookedPolicy(row, settings.now()),
    move_until: moveUntilMs === null ? null : new Date(moveUntilMs).toISOString(),
    cancel_until: new Date(cancelUntilMs).toISOString(),
    price_note: row.paid_in_sandbox ? SANDBOX_LABEL : null,
    is_online: row.is_online,
    location_name: row.location_name,
    location_address: row.location_address,
  }
}

/**
 * Returns when the email confirmation code expires; null when no code is awaited. An appointment that the owner has
 * decided about is no longer a hold.
 */
function toConfirmationEnd(row: BookedAppointment): string | null {
  const isAwaited = row.awaits_email_code && row.status === 'pending_payment' && row.released_at === null
  return isAwaited ? (row.hold_expires_at?.toISOString() ?? null) : null
}
