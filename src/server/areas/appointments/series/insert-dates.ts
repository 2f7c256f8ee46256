import type { BookingsDeps } from '#server/areas/appointments/bookings/deps.ts'
import { insertBooking, type NewBooking } from '#server/areas/appointments/bookings/insert-booking.ts'
import type { NewMessage } from '#server/messages/queue/repository.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import type { BookedAppointment } from '#server/records/appointments/appointment.ts'

/**
 * Inserts the appointments of a series in order. Each gets a reference of its own. That the times are taken is announced
 * once.
 */
export async function insertDates(
  deps: Pick<BookingsDeps, 'jobs' | 'log'>,
  trx: Trx,
  { bookings }: { readonly bookings: readonly NewBooking[] },
): Promise<BookedAppointment[]> {
  const booked: BookedAppointment[] = []
  for (const [i, booking] of bookings.entries()) {
    const isLast = i === bookings.length - 1
    const { locked, nowMs } = booking
    const lastReferenceMs = Math.max(nowMs - 1, locked.lastReferenceMs) + i
    const quiet = isLast ? {} : { has_unkept_offers: false, is_location_shared: false }
    booked.push(
      await insertBooking(deps, trx, { ...booking, locked: { ...locked, ...quiet, lastReferenceMs } }),
    )
  }
  return booked
}

/** Returns the part of a message that names further dates of a series. Source: rule B43. */
export function namingDates(further: readonly { readonly id: string }[]): Pick<NewMessage, 'details'> {
  return further.length === 0 ? {} : { details: { series: further.map(({ id }) => id) } }
}
