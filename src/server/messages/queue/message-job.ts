import { RETENTION_DAYS } from '#contract/shared/retention.ts'
import { DAY_SECONDS } from '#core/shared/duration.ts'
import type { AppointmentMailContent } from '#server/messages/emails/appointment-facts.ts'
import type { JobDefinition } from '#server/platform/jobs/job-queue.ts'
import type { SendingOwner } from './sender-repository.ts'

/**
 * A message in the ledger. `repeat` is the number of times that the owner has resent it, so that older jobs do nothing.
 */
export type LedgerMessageJob = {
  readonly calendarId: string
  readonly messageId: string
  readonly repeat: number
}

/** Returns the jobs for messages in the ledger of a calendar. */
export function toLedgerMessageJobs(
  calendarId: string,
  messages: readonly { readonly id: string; readonly repeat: number }[],
): LedgerMessageJob[] {
  return messages.map(({ id, repeat }) => ({ calendarId, messageId: id, repeat }))
}

/**
 * A job that tells a customer that the calendar was deleted. It contains everything that the email says, because the
 * appointment and its ledger are deleted.
 */
export type ClosedCalendarJob = {
  readonly kind: 'calendar_closed'
  readonly facts: AppointmentMailContent
  /**
   * When the calendar was deleted, in RFC 3339. Each wait shifts this time, because waiting does not count as failing.
   */
  readonly closedAt: string
  /** The sender whose email limits the email counts towards; absent in a job of an earlier version. */
  readonly counted?: { readonly calendarId: string; readonly sender: SendingOwner }
}

/** One email about one appointment. */
type AppointmentMailJob = LedgerMessageJob | ClosedCalendarJob

/**
 * Job that sends one message. It is retried after growing pauses: 10 to 20 s at first, 2 h at most. The ledger gives up
 * after three days, long before the retries end.
 *
 * A process sends one message at a time. Between the mail server's acceptance and the entry in the ledger, nobody knows
 * whether a message was sent, so a killed process leaves at most one such message (decision 0010). Source: rule M7.
 */
export const APPOINTMENT_MAIL_JOB: JobDefinition<AppointmentMailJob> = {
  name: 'appointment-mail',
  retryLimit: 120,
  retryDelaySeconds: 10,
  retryDelayMaxSeconds: 2 * 60 * 60,
  expireSeconds: 120,
  keepSeconds: RETENTION_DAYS.endedJob * DAY_SECONDS,
  workersPerProcess: 1,
}
