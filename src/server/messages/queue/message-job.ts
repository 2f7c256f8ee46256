import { KEPT_DAYS } from '#contract/shared/retention.ts'
import { DAY_SECONDS } from '#core/shared/duration.ts'
import type { AppointmentMailContent } from '#server/messages/emails/appointment-facts.ts'
import type { JobDefinition } from '#server/platform/jobs/job-queue.ts'
import type { Sender } from './sender-repository.ts'

/** A message in the ledger. `repeat` counts how often the owner resent it, so that older jobs do nothing. */
export type LedgerMessageJob = {
  readonly calendarId: string
  readonly messageId: string
  readonly repeat: number
}

/** The jobs for messages in the ledger of a calendar. */
export function toLedgerMessageJobs(
  calendarId: string,
  messages: readonly { readonly id: string; readonly repeat: number }[],
): LedgerMessageJob[] {
  return messages.map(({ id, repeat }) => ({ calendarId, messageId: id, repeat }))
}

/**
 * Tells a customer that their calendar was deleted. The job contains everything that the email says, because the
 * appointment and its ledger are deleted.
 */
export type ClosedCalendarJob = {
  readonly kind: 'calendar_closed'
  readonly facts: AppointmentMailContent
  /** RFC 3339. Shifted by each wait, because waiting does not count as failing. */
  readonly closedAt: string
  /** Whose email budgets it uses; absent in a job of an earlier version. */
  readonly counted?: { readonly calendarId: string; readonly sender: Sender }
}

/** One email about one appointment. */
type AppointmentMailJob = LedgerMessageJob | ClosedCalendarJob

/**
 * Retried with growing pauses: 10 to 20 s at first, 2 h at most. The ledger gives up after three days, long before the
 * retries end.
 *
 * A process sends one message at a time. Between the server's acceptance and the entry in the ledger, it is unknown
 * whether a message was sent; a killed process then leaves only one such message (decision 0010). Source: rule M7.
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
