import type {
  AppointmentFilter,
  AppointmentRow,
  AppointmentsResponse,
  UpcomingAppointmentsResponse,
} from '#contract/appointments.ts'
import { LIMITS } from '#contract/limits.ts'
import { localDateOf, localTimeOf, toEpochMs } from '#core/shared/zoned-time.ts'
import { type CalendarsDeps, getOwnCalendar } from '#server/features/calendars/use-cases.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import {
  type AppointmentListRow,
  countAppointments,
  listAppointmentPage,
  listUpcoming,
} from './repository.ts'

export type AppointmentsDeps = Pick<CalendarsDeps, 'db' | 'now' | 'baseUrl'>

/**
 * One page of a calendar's appointments with the exact total. "Today" is the calendar's: upcoming begins with it,
 * past ends before it. Source: spec §7 "Owner: appointments".
 * @throws ProblemError `calendar.not_found`, `calendar.forbidden`
 */
export async function listAppointments(
  deps: AppointmentsDeps,
  ownerId: OwnerId,
  input: { calendarId: string; filter: AppointmentFilter; page: number },
): Promise<AppointmentsResponse> {
  const calendar = await getOwnCalendar(deps, ownerId, input.calendarId)
  const today = localDateOf(deps.now(), calendar.timezone)
  const query = {
    calendarId: input.calendarId,
    filter: input.filter,
    todayStartsAt: new Date(toEpochMs(today, 0, calendar.timezone)),
  }
  const total = await countAppointments(deps.db, ownerId, query)
  const appointments = await listAppointmentPage(deps.db, ownerId, query, {
    offset: (input.page - 1) * LIMITS.pageSize,
    limit: LIMITS.pageSize,
    total,
  })
  return { appointments: appointments.map(toRow), total, page: input.page, page_size: LIMITS.pageSize }
}

/** The next appointments over all of the owner's calendars, for the dashboard. */
export async function listUpcomingAppointments(
  deps: AppointmentsDeps,
  ownerId: OwnerId,
): Promise<UpcomingAppointmentsResponse> {
  const { total, appointments } = await listUpcoming(deps.db, ownerId, {
    now: new Date(deps.now()),
    limit: LIMITS.pageSize,
  })
  return { total, appointments: appointments.map(toRow) }
}

/** Owner screens speak in the calendar's present zone, whatever it was when the time was booked. */
function toRow(row: AppointmentListRow): AppointmentRow {
  const startsAtMs = row.starts_at.getTime()
  return {
    id: row.id,
    calendar_id: row.calendar_id,
    calendar_name: row.calendar_name,
    date: localDateOf(startsAtMs, row.timezone),
    start_time: localTimeOf(startsAtMs, row.timezone),
    end_time: localTimeOf(row.ends_at.getTime(), row.timezone),
    starts_at: row.starts_at.toISOString(),
    ends_at: row.ends_at.toISOString(),
    time_zone: row.timezone,
    title: row.title,
    description: row.description,
    status: row.status,
    payment_status: row.payment_status,
    booking_reference: row.booking_reference,
    booked_by: row.booked_by,
    stripe_payment_intent_id: row.stripe_payment_intent_id,
    customers: {
      name: row.customer_name,
      email: row.email,
      phone: row.customer_phone,
      client_id: row.client_id,
    },
    appointment_types:
      row.appointment_type_name === null
        ? null
        : {
            name: row.appointment_type_name,
            is_online: row.is_online,
            price: row.price_cents === null ? null : row.price_cents / 100,
            location:
              row.location_name === null ? null : { name: row.location_name, address: row.location_address },
          },
  }
}
