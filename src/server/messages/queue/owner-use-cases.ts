import type { AppointmentMessage, AppointmentMessagesResponse } from '#contract/messages/messages.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { Budgets } from '#server/platform/budgets/budgets.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import type { JobQueue } from '#server/platform/jobs/job-queue.ts'
import type { Appointment } from '#server/records/appointments/appointment.ts'
import { findAppointmentDetails } from '#server/records/appointments/details-repository.ts'
import { toReminderSettings } from '#server/records/calendars/to-reminder-settings.ts'
import { type CalendarsDeps, getOwnCalendar } from '#server/records/calendars/use-cases.ts'
import { decideAppointmentReminder, findDropReason } from './find-drop-reason.ts'
import { APPOINTMENT_MAIL_JOB } from './message-job.ts'
import {
  CLEARED_WAIT_COLUMNS,
  listMessages,
  lockMessage,
  type StoredMessage,
  updateMessage,
} from './repository.ts'

export type MessagesDeps = Pick<CalendarsDeps, 'db' | 'now' | 'baseUrl' | 'mailFrom' | 'defaultTier'> & {
  readonly jobs: Pick<JobQueue, 'insert'>
  readonly budgets: Pick<Budgets, 'spend'>
}

type AppointmentKey = { readonly calendarId: string; readonly appointmentId: string }

/**
 * Lists the messages about an appointment, latest first, including a planned reminder.
 * @throws ProblemError `calendar.*`, `appointment.not_found`
 */
export async function listAppointmentMessages(
  deps: MessagesDeps,
  ownerId: OwnerId,
  key: AppointmentKey,
): Promise<AppointmentMessagesResponse> {
  await getOwnCalendar(deps, ownerId, key.calendarId)
  const details = await getDetails(deps.db, key)
  const stored = await listMessages(deps.db, key)
  const planned = findPlannedReminder(deps, details, stored)
  const messages = stored.map((message) => toView(deps, details, message))
  return { messages: planned === null ? messages : [planned, ...messages] }
}

/**
 * Queues a message again; for mail clients it is a new message. `repeat` is the number of resends shown to the owner,
 * which makes the call idempotent. Source: rule M3.
 * @throws ProblemError `calendar.*`, `appointment.not_found`, `message.*`
 */
export async function sendMessageAgain(
  deps: MessagesDeps,
  ownerId: OwnerId,
  { messageId, repeat, ...key }: AppointmentKey & { readonly messageId: string; readonly repeat: number },
): Promise<AppointmentMessage> {
  await getOwnCalendar(deps, ownerId, key.calendarId)
  return inTransaction(deps.db, async (trx) => {
    const details = await getDetails(trx, key)
    const message = await lockMessage(trx, { ...key, messageId })
    if (message === null) throw new ProblemError('message.not_found')
    if (message.repeat === repeat + 1) return toView(deps, details, message)
    if (message.repeat !== repeat) throw new ProblemError('message.changed_meanwhile')
    const next = { ...message, repeat: repeat + 1 }
    if (findSendAgainRefusal(deps, details, next) !== null) throw new ProblemError('message.not_true')
    const spent = await deps.budgets.spend([{ budget: 'email_again', subject: messageId }], trx)
    if (spent !== null) throw new ProblemError('message.sent_often', [], spent.waitSeconds)
    const queued = {
      state: 'queued',
      drop_reason: null,
      attempts: 0,
      first_failed_at: null,
      last_error: null,
      owner_told_at: null,
      ...CLEARED_WAIT_COLUMNS,
      // The owner causes this message now, so it counts towards the owner's email limit.
      caused_by: 'owner',
      repeat: next.repeat,
      updated_at: new Date(deps.now()),
    } as const
    await updateMessage(trx, { calendarId: key.calendarId, messageId, repeat }, queued)
    await deps.jobs.insert(trx, APPOINTMENT_MAIL_JOB, [
      { calendarId: key.calendarId, messageId, repeat: next.repeat },
    ])
    return toView(deps, details, { ...message, ...queued })
  })
}

async function getDetails(db: Db, { calendarId, appointmentId }: AppointmentKey): Promise<Appointment> {
  const details = await findAppointmentDetails(db, appointmentId)
  if (details?.calendar_id !== calendarId) throw new ProblemError('appointment.not_found')
  return details
}

function remindersOf({ mailFrom }: MessagesDeps, details: Appointment) {
  return toReminderSettings(details.reminder_settings, { calendarName: details.calendar_name, mailFrom })
}

function findSendAgainRefusal(deps: MessagesDeps, details: Appointment, message: StoredMessage) {
  return findDropReason(details, message, remindersOf(deps, details), deps.now())
}

function findPlannedReminder(
  deps: MessagesDeps,
  details: Appointment,
  stored: readonly StoredMessage[],
): AppointmentMessage | null {
  const occasion = details.starts_at.toISOString()
  const isInLedger = stored.some(
    (message) => message.kind === 'reminder' && message.occasion === occasion && message.state !== 'dropped',
  )
  const decision = decideAppointmentReminder(details, remindersOf(deps, details), deps.now())
  if (isInLedger || decision.kind === 'none') return null
  return {
    id: null,
    kind: 'reminder',
    recipient: 'customer',
    state: 'planned',
    // A reminder that is already due is sent by the next run.
    at: new Date(Math.max(decision.dueMs, deps.now())).toISOString(),
    waits_for: null,
    drop_reason: null,
    last_error: null,
    attempts: 0,
    repeat: 0,
    can_send_again: false,
  }
}

function toView(deps: MessagesDeps, details: Appointment, message: StoredMessage): AppointmentMessage {
  const { state } = message
  return {
    id: message.id,
    kind: message.kind,
    recipient: message.recipient,
    state,
    at: whenOf(message).toISOString(),
    waits_for: state === 'waiting' ? message.waits_for : null,
    drop_reason: message.drop_reason,
    last_error: message.last_error,
    attempts: message.attempts,
    repeat: message.repeat,
    can_send_again:
      isSettled(message) &&
      findSendAgainRefusal(deps, details, { ...message, repeat: message.repeat + 1 }) === null,
  }
}

function whenOf({
  state,
  sent_at: sentAt,
  waits_until: waitsUntil,
  updated_at: updatedAt,
}: StoredMessage): Date {
  if (state === 'sent' && sentAt !== null) return sentAt
  if (state === 'waiting' && waitsUntil !== null) return waitsUntil
  return updatedAt
}

/**
 * True when the owner may resend a message. A waiting message is sent automatically, unless it waits for the
 * recipient's response: the owner can vouch for such an address. Source: rule M4.
 */
function isSettled({ state, waits_for: waitsFor }: StoredMessage): boolean {
  return state !== 'queued' && (state !== 'waiting' || waitsFor === 'email_unanswered')
}
