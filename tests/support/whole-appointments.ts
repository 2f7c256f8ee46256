import { deepEqual, equal } from 'node:assert/strict'
import type { Database } from '#server/platform/db/database.ts'
import { queryNumber, queryRows } from './race-track.ts'

/**
 * Returns the ids of all appointments that customers booked, sorted. Checks that every appointment has its customer and the jobs
 * of its two emails, and that no customer or email lacks its appointment.
 */
export async function listCompleteAppointments(database: Database): Promise<string[]> {
  const rows = await queryRows(
    database,
    `select appointments.id, count(distinct customers.id) as customers,
       array_agg(message.kind order by message.kind) as mails
     from appointments
     left join customers on customers.id = customer_id
     left join appointment_messages as message on message.appointment_id = appointments.id
       and exists (select from pgboss.job where job.data ->> 'messageId' = message.id::text)
     group by appointments.id
     order by appointments.id`,
  )
  const whole = { customers: '1', mails: ['booking_confirmation', 'owner_booking_notice'] }
  deepEqual(
    rows.map(({ customers, mails }) => ({ customers, mails })),
    rows.map(() => whole),
  )
  equal(await queryNumber(database, 'select count(*) from customers'), rows.length)
  const mailJobs = `select count(*) from pgboss.job where name = 'appointment-mail'`
  equal(await queryNumber(database, mailJobs), 2 * rows.length)
  return rows.map(({ id }) => String(id))
}
