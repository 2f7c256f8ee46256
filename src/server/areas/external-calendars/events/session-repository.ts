import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import {
  CAN_HAVE_EVENT_SQL,
  type SessionKey,
  selectSeatWithEvent,
} from '#server/records/appointments/outbox-repository.ts'
import type { AppointmentKey } from '#server/records/appointments/state-repository.ts'
import { MOST_NAMES, type SessionPeople } from './to-appointment-event.ts'

export type EventSession = SessionPeople & {
  /** The appointment to which the session's event belongs. */
  readonly eventAppointmentId: string | null
}

const TAKES_PART = sql.raw(CAN_HAVE_EVENT_SQL)

/** Returns the people in a session and the seat to which its event belongs. Source: rule G34. */
export async function findEventSession(db: Db, session: SessionKey): Promise<EventSession | null> {
  const { calendarId, sessionId } = session
  const { rows } = await sql<{ seats: number; people: number; names: string[]; id: string | null }>`
    with taking_part as (
      select id, customer_name, created_at from appointments
      where calendar_id = ${calendarId} and session_id = ${sessionId} and ${TAKES_PART}
    )
    select seats, (select count(*)::integer from taking_part) as people, ${selectSeatWithEvent(session)} as id,
      array(select customer_name from taking_part order by created_at, id limit ${MOST_NAMES}) as names
    from group_sessions where calendar_id = ${calendarId} and id = ${sessionId}`.execute(db)
  const [row] = rows
  return row === undefined ? null : { ...row, eventAppointmentId: row.id }
}

/**
 * Hands the event of a session to the session's next seat if the appointment that has it has left the session: the event
 * keeps its id, its title and a pending change. If no other seat needs the event, it goes with the appointment to its new
 * session. The caller holds the lease for the event and has locked the appointment. Source: rule G34.
 * @returns the session that the appointment has left; null when it has left none
 */
export async function handOverEvent(trx: Trx, { calendarId, id }: AppointmentKey): Promise<string | null> {
  const { rows } = await sql<{ left: string; present: string | null; next: string | null }>`
    select written.session_id as left, case when ${TAKES_PART} then appointments.session_id end as present, (
      select id from appointments as seat
      where seat.calendar_id = ${calendarId} and seat.session_id = written.session_id and ${TAKES_PART} and not exists (
        select from appointment_events as own where own.calendar_id = ${calendarId} and own.appointment_id = seat.id
      )
      order by created_at, id limit 1
    ) as next
    from appointment_events as written
    join appointments on appointments.calendar_id = written.calendar_id and appointments.id = written.appointment_id
    where written.calendar_id = ${calendarId} and written.appointment_id = ${id}
      and not (appointments.session_id = written.session_id and ${TAKES_PART})`.execute(trx)
  const [row] = rows
  if (row === undefined) return null
  const { left, present, next } = row
  if (next !== null) {
    await trx
      .deleteFrom('event_secrets')
      .where('calendar_id', '=', calendarId)
      .where('appointment_id', '=', next)
      .execute()
    for (const table of ['event_secrets', 'appointment_events', 'external_changes'] as const) {
      await trx
        .updateTable(table)
        .set({ appointment_id: next })
        .where('calendar_id', '=', calendarId)
        .where('appointment_id', '=', id)
        .execute()
    }
  } else if (present !== null) {
    await sql`
      update appointment_events set session_id = ${present}
      where calendar_id = ${calendarId} and appointment_id = ${id} and not exists (
        select from appointment_events where calendar_id = ${calendarId} and session_id = ${present}
      )`.execute(trx)
  }
  return left
}
