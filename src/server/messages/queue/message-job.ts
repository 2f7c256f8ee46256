import { KEPT_DAYS } from '#contract/retention.ts'
import { DAY_SECONDS } from '#core/shared/duration.ts'
import type { AppointmentMailContent } from '#server/messages/emails/appointment-facts.ts'
import type { JobDefinition } from '#server/platform/jobs/job-queue.ts'
import type { Sender } from './sender-repository.ts'

/** The message in the ledger; `repeat` is the requested repetition, so that an older try gives way to it. */
export type LedgerMessageJob = {
  readonly calendarId: string
  readonly messageId: string
  readonly repeat: number
}

/** The jobs of messages in the ledger of a calendar. */
export function toLedgerMessageJobs(
  calendarId: string,
  messages: readonly { readonly id: string; readonly repeat: number }[],
): LedgerMessageJob[] {
  return messages.map(({ id, repeat }) => ({ calendarId, messageId: id, repeat }))
}

/**
 * Tells a customer that their calendar was closed. The job has everything that the message says, because the
 * appointment and its ledger are gone.
 */
export type ClosedCalendarJob = {
  readonly kind: 'calendar_closed'
  readonly facts: AppointmentMailContent
  /** RFC 3339. It moves on while the message waits, because waiting is no failure. */
  readonly closedAt: string
  /** Whose budgets of email it uses; absent in a job that an earlier version of the product queued. */
  readonly counted?: { readonly calendarId: string; readonly sender: Sender }
}

/** One message about one appointment. */
export type AppointmentMailJob = LedgerMessageJob | ClosedCalendarJob

/**
 * Tried with growing pauses: 10 to 20 s at first, 2 h at most. The ledger gives up after three days, long before the
 * retries end.
 *
 * A process sends one at a time. Between the moment when a server takes a message and the moment when the ledger says
 * so, nobody knows whether it was sent, and a killed process then leaves one such message and not several (decision
 * 0010). Source: rule M7.
 */
export const APPOINTMENT_MAIL: JobDefinition<AppointmentMailJob> = {
  name: 'appointment-mail',
  retryLimit: 120,
  retryDelaySeconds: 10,
  retryDelayMaxSeconds: 2 * 60 * 60,
  expireSeconds: 120,
  keepSeconds: KEPT_DAYS.endedJob * DAY_SECONDS,
  workersPerProcess: 1,
}
