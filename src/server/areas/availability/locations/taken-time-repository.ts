import type { Trx } from '#server/platform/db/transaction.ts'
import {
  addToLocationConstraint,
  detachFromLocation,
  LONGEST_APPOINTMENT_MS,
  removeFromLocationConstraint,
} from '#server/records/appointments/taken-time-repository.ts'
import { type LocationAtTime, lockCalendars } from './usage-repository.ts'

/** A batch of the appointments at a location: those that start after `after`, the earliest first. */
export type AppointmentBatch = LocationAtTime & { readonly after: Date }

/** Number of appointments per batch. 500 appointments take about 100 ms, during which bookings at the location wait. */
const BATCH_SIZE = 500

/** Returns the first batch of the upcoming appointments. */
export function toFirstAppointmentBatch(place: LocationAtTime): AppointmentBatch {
  return { ...place, after: new Date(place.now.getTime() - LONGEST_APPOINTMENT_MS) }
}

/** Like `updateLocationConstraint`, but also locks the calendars. */
export async function lockAndUpdateLocationConstraint(
  trx: Trx,
  stretch: AppointmentBatch,
): Promise<Date | null> {
  const end = await findEnd(trx, stretch)
  const rows = await appointmentsIn(trx, stretch, end).select('calendar_id').distinct().execute()
  await lockCalendars(
    trx,
    rows.map((row) => row.calendar_id),
  )
  return updateLocationConstraint(trx, stretch)
}

/**
 * Adds the appointments of a batch to the exclusion constraint of their location, or removes them, according to the
 * location's current settings. Appointments of calendars that lost access are detached from the location. The caller
 * has locked their calendars.
 * @returns the start after which the next batch begins; null when this was the last batch
 */
export async function updateLocationConstraint(trx: Trx, stretch: AppointmentBatch): Promise<Date | null> {
  const place = await trx
    .selectFrom('locations')
    .select(['type', 'exclusive'])
    .where('id', '=', stretch.locationId)
    .forShare()
    .executeTakeFirst()
  // Appointments at a deleted location are not changed.
  if (place === undefined) return null
  const end = await findEnd(trx, stretch)
  await detachFromLocation(trx, stretch, end)
  if (place.type === 'physical' && place.exclusive) await addToLocationConstraint(trx, stretch, end)
  else await removeFromLocationConstraint(trx, stretch, end)
  return end
}

/** Returns the start of the batch's last appointment. Null when fewer appointments remain than fit into a batch. */
async function findEnd(trx: Trx, stretch: AppointmentBatch): Promise<Date | null> {
  const row = await appointmentsIn(trx, stretch, null)
    .select('starts_at')
    .orderBy('starts_at')
    .offset(BATCH_SIZE - 1)
    .limit(1)
    .executeTakeFirst()
  return row?.starts_at ?? null
}

function appointmentsIn(trx: Trx, { locationId, after }: AppointmentBatch, end: Date | null) {
  const following = trx
    .selectFrom('appointments')
    .where('location_id', '=', locationId)
    .where('starts_at', '>', after)
  return end === null ? following : following.where('starts_at', '<=', end)
}
