import { randomUUID } from 'node:crypto'
import type { Interval } from '#core/shared/interval.ts'
import { buildOwnerEventRestored } from '#server/messages/emails/external-change-mail.ts'
import type { MailOrigin } from '#server/messages/emails/mail-origin.ts'
import { toMailFacts } from '#server/messages/emails/to-mail-facts.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import type { Mailer } from '#server/ports/mailer.ts'
import { findAppointmentDetails } from '#server/records/appointments/details-repository.ts'
import { queueEventWrite } from '#server/records/appointments/event-job.ts'
import { requestEventWrite } from '#server/records/appointments/outbox-repository.ts'
import type { AppointmentKey } from '#server/records/appointments/state-repository.ts'
import { toDefaultTitle } from '#server/records/appointments/to-default-title.ts'
import { recordHistory, toHistoryTime } from '#server/records/history/use-cases.ts'
import type { AddressSettings } from '#server/records/hostnames/to-calendar-address.ts'
import type { AppointmentEventsDeps } from './deps.ts'
import { RESTORED_EVENT_MAIL_JOB, type RestoredEventMailJob } from './job-definitions.ts'
import { isAutoSyncOn, lockAppointmentForComparison, updateEvent } from './repository.ts'

/** A hash that matches no content, so that the event is rewritten. */
const NO_CONTENT_HASH = ''

export type RefusedEventChange = {
  /** The new time of the event; null when it is not a single time. */
  readonly wanted: Interval | null
  /** The reason, as a sentence for the owner. */
  readonly reason: string
  /** The etag of the refused state, so that the same state is not refused twice. Null when the event was deleted. */
  readonly etag: string | null
}

/**
 * Restores an event that was changed at the provider, and tells the owner why. While 'Auto Sync' is off, the event is
 * rewritten only once it is turned on, and the email says so. Source: rule G12.
 */
export async function restoreEvent(
  deps: AppointmentEventsDeps,
  key: AppointmentKey,
  { wanted, reason, etag }: RefusedEventChange,
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    if (!(await lockAppointmentForComparison(trx, key))) return
    const isWritten = await isAutoSyncOn(trx, key)
    await requestEventRewrite(deps, trx, key, etag)
    const details = { wanted: wanted === null ? null : toHistoryTime(wanted), reason, is_written: isWritten }
    const at = new Date(deps.now())
    await recordHistory(trx, key, { kind: 'put_back', causedBy: 'external_calendar', details, at })
    const there = wanted === null ? null : toHistoryTime(wanted)
    await deps.jobs.insert(trx, RESTORED_EVENT_MAIL_JOB, [
      {
        ...key,
        changeId: randomUUID(),
        wanted: there === null ? null : { startsAt: there.starts_at, endsAt: there.ends_at },
        reason,
        isWritten,
      },
    ])
  })
}

/** Requests a rewrite of the event, overwriting the state with this etag, or any state when the etag is null. */
export async function requestEventRewrite(
  deps: Pick<AppointmentEventsDeps, 'jobs' | 'log'>,
  trx: Trx,
  key: AppointmentKey,
  etag: string | null,
): Promise<void> {
  await updateEvent(trx, key, { etag, contentHash: NO_CONTENT_HASH })
  await requestEventWrite(trx, key)
  await queueEventWrite(deps, trx, { ...key, isNeeded: true })
}

/** True when a rewrite of the event was requested. */
export function isEventRewriteRequested({ contentHash }: { readonly contentHash: string }): boolean {
  return contentHash === NO_CONTENT_HASH
}

export type RestoredEventMailDeps = AddressSettings & {
  readonly db: Db
  readonly mailer: Mailer
  readonly origin: MailOrigin
}

/** Sends an email to the owner, which counts towards no email limit. Throws when the mail server does not accept it. */
export async function sendRestoredEventMail(
  deps: RestoredEventMailDeps,
  { id, changeId, wanted, reason, isWritten }: RestoredEventMailJob,
): Promise<void> {
  const details = await findAppointmentDetails(deps.db, id)
  if (details === null) return
  const facts = toMailFacts(details, deps)
  const sessionTitle = details.session_id === null ? null : toDefaultTitle(details)
  const change = { changeId, wanted, reason, isWritten, sessionTitle }
  await deps.mailer.send(await buildOwnerEventRestored(facts, change, deps.origin))
}
