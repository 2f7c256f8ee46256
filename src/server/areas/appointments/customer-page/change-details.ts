import type { z } from 'zod'
import type { CustomerAppointment, customerDetailsChanges } from '#contract/appointments/customer-page.ts'
import { chooseBookingTitle, findCustomTitle } from '#core/appointments/title-template.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { refuseStaleChange } from '#server/platform/http/refuse-stale-change.ts'
import type { JobQueue } from '#server/platform/jobs/job-queue.ts'
import type { Log } from '#server/platform/log.ts'
import type { Appointment } from '#server/records/appointments/appointment.ts'
import {
  type AppointmentDetailsChange,
  storeAppointmentDetails,
} from '#server/records/appointments/customer-record-repository.ts'
import { findAppointmentDetails } from '#server/records/appointments/details-repository.ts'
import { queueEventWrite } from '#server/records/appointments/event-job.ts'
import { lockAppointment } from '#server/records/appointments/state-repository.ts'
import { toDefaultTitle } from '#server/records/appointments/to-default-title.ts'
import { toStoredTimeZone } from '#server/records/calendars/to-stored-time-zone.ts'
import { recordHistory } from '#server/records/history/use-cases.ts'
import {
  canChangeDetails,
  getLinkedAppointment,
  getManagedAppointment,
  type ManagedAppointmentsDeps,
  type OpenedSession,
  toCustomerStatus,
} from './use-cases.ts'

export type ChangeDetailsDeps = ManagedAppointmentsDeps & {
  readonly jobs: Pick<JobQueue, 'insert'>
  readonly log: Pick<Log, 'error' | 'warn'>
}

type Body = z.output<typeof customerDetailsChanges>

/**
 * Changes the details that the customer entered: phone, time zone, title and notes. The event in the owner's own calendar is
 * updated, and the change appears in the appointment's history. Source: rule R7.
 * @throws ProblemError `manage.*`, `request.changed_meanwhile`, `calendar.time_zone_unknown`
 */
export async function changeManagedDetails(
  deps: ChangeDetailsDeps,
  opened: OpenedSession,
  body: Body,
): Promise<CustomerAppointment> {
  const { id, calendar_id: calendarId } = await getLinkedAppointment(deps, opened)
  const spent = await deps.budgets.spend([{ budget: 'manage_changes', subject: id }])
  if (spent !== null) throw new ProblemError('manage.changed_often', [], spent.waitSeconds)
  await inTransaction(deps.db, async (trx) => {
    await lockAppointment(trx, id)
    const details = await findAppointmentDetails(trx, id)
    if (details === null || !canChangeDetails(toCustomerStatus(details, deps.now()))) {
      throw new ProblemError('manage.not_changeable')
    }
    refuseStaleChange(formOf(details), body.was)
    const { change, what } = toChange(details, body)
    if (what.length === 0) return
    const key = { calendarId, id }
    const at = new Date(deps.now())
    const isNeeded = await storeAppointmentDetails(trx, key, { ...change, updated_at: at })
    await recordHistory(trx, key, { kind: 'details_changed', causedBy: 'customer', details: { what }, at })
    await queueEventWrite(deps, trx, { ...key, isNeeded })
  })
  return getManagedAppointment(deps, opened)
}

/** Returns the current values of the form's fields. */
function formOf(details: Appointment) {
  return {
    phone: details.customer_phone,
    time_zone: details.customer_time_zone ?? details.time_zone,
    title: details.title,
    description: details.description,
  }
}

/**
 * Returns the columns to update, and the names of the changed fields for the history. Fields that keep their value are
 * left out.
 */
function toChange(details: Appointment, body: Body): { change: AppointmentDetailsChange; what: string[] } {
  const before = formOf(details)
  const change: { -readonly [Name in keyof AppointmentDetailsChange]: AppointmentDetailsChange[Name] } = {}
  const what: string[] = []
  const phone = body.phone || null
  if (body.phone !== undefined && phone !== before.phone) {
    change.customer_phone = phone
    what.push('the phone number')
  }
  const zone = body.time_zone === undefined ? before.time_zone : toStoredTimeZone(body.time_zone)
  if (zone !== before.time_zone) {
    change.customer_time_zone = zone
    what.push('the time zone')
  }
  const filledIn = toDefaultTitle(details)
  const title = chooseBookingTitle(body.title, filledIn)
  if (body.title !== undefined && details.appointment_title_required && title !== before.title) {
    change.title = title
    change.typed_title = findCustomTitle(title, filledIn)
    what.push('the title')
  }
  const description = body.description || null
  if (body.description !== undefined && description !== before.description) {
    change.description = description
    what.push('the notes')
  }
  return { change, what }
}
