import type { TestAppointment } from '#contract/appointments/test-appointments.ts'
import { toOccupiedTime } from '#core/slots/occupied-time.ts'
import type { BookingsDeps, OwnerBookingDeps } from '#server/areas/appointments/bookings/deps.ts'
import { createOwnAppointment } from '#server/areas/appointments/bookings/owner-booking.ts'
import type { AuthUser } from '#server/platform/auth/auth.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import {
  deleteTestAppointment,
  findFirstTypeId,
  findTestAppointment,
  toTestAppointment,
} from '#server/records/appointments/test-appointment-repository.ts'
import { getOwnCalendar, lockOwnCalendar } from '#server/records/calendars/use-cases.ts'
import { announceVacatedTime } from '#server/records/freed-times/use-cases.ts'
import { getFirstSlots } from '#server/records/slots/use-cases.ts'

/** What the emails and the lists say about a test appointment. */
const TEST_NOTE = 'This is a test appointment.'

type Owner = { readonly ownerId: OwnerId; readonly user: Pick<AuthUser, 'fullName' | 'email'> }

/**
 * Books the first free time of the first service in the owner's own name and address. The owner gets the emails that a
 * customer would get. A calendar has one test appointment at a time, so a second request returns the first one. Source:
 * rule U34.
 * @throws ProblemError `calendar.*`, `test_appointment.no_free_time`, `booking.slot_unavailable`,
 * `booking.location_conflict`
 */
export async function bookTestAppointment(
  deps: OwnerBookingDeps,
  { ownerId, user }: Owner,
  calendarId: string,
): Promise<TestAppointment> {
  const { slug } = await getOwnCalendar(deps, ownerId, calendarId)
  const existing = await findTestAppointment(deps.db, calendarId, new Date(deps.now()))
  if (existing !== null) return toTestAppointment(existing)
  const typeId = await findFirstTypeId(deps.db, calendarId)
  const first = await getFirstSlots(deps, {
    slug,
    appointmentTypeId: typeId ?? undefined,
    timeZone: undefined,
  })
  const slot = first.days[0]?.slots[0]
  if (slot === undefined) throw new ProblemError('test_appointment.no_free_time')
  const { id, starts_at, time_zone, hour_cycle } = await createOwnAppointment(deps, ownerId, {
    calendarId,
    key: null,
    isTest: true,
    body: {
      appointment_type_id: typeId,
      starts_at: slot.starts_at,
      description: TEST_NOTE,
      customer: { name: user.fullName, email: user.email },
      outside_hours: false,
      notify_customer: true,
    },
  })
  return { id, starts_at, time_zone, hour_cycle, email: user.email }
}

/**
 * Deletes the test appointment of a calendar, with everything that belongs to it. Idempotent. Source: rule U34.
 * @throws ProblemError `calendar.*`
 */
export async function removeTestAppointment(
  deps: Pick<BookingsDeps, 'db' | 'jobs'>,
  ownerId: OwnerId,
  calendarId: string,
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    await lockOwnCalendar(trx, ownerId, calendarId)
    const deleted = await deleteTestAppointment(trx, calendarId)
    if (deleted === null) return
    const { starts_at, ends_at, prepare_minutes, wrap_up_minutes } = deleted
    const { conflict_location_id: conflictLocationId } = deleted
    const during = toOccupiedTime(
      { startMs: starts_at.getTime(), endMs: ends_at.getTime() },
      { prepareMinutes: prepare_minutes, wrapUpMinutes: wrap_up_minutes },
    )
    await announceVacatedTime(deps, trx, { calendarId, id: null, during, conflictLocationId })
  })
}
