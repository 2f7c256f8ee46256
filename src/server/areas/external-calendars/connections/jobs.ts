import { buildCalendarExpired } from '#server/messages/emails/calendar-expired-mail.ts'
import { buildCalendarTrouble } from '#server/messages/emails/calendar-trouble-mail.ts'
import { buildRemainingEventsMail } from '#server/messages/emails/events-left-mail.ts'
import { type MailOrigin, toMessageIdPart } from '#server/messages/emails/mail-origin.ts'
import type { JobQueue } from '#server/platform/jobs/job-queue.ts'
import type { Mailer } from '#server/ports/mailer.ts'
import { renewChannels } from './channel-use-cases.ts'
import type { ExternalCalendarsDeps, SyncDeps } from './deps.ts'
import { findMailRecipient } from './disconnect-repository.ts'
import { removeConnection } from './disconnect-use-cases.ts'
import { findExpiredConnection, findFailingConnection, type ReportedConnection } from './expiry-repository.ts'
import {
  CALENDAR_CHANNELS_CRON,
  CALENDAR_CHANNELS_JOB,
  CALENDAR_EXPIRED_MAIL_JOB,
  CALENDAR_POLL_CRON,
  CALENDAR_POLL_JOB,
  CALENDAR_REMOVAL_JOB,
  CALENDAR_SLOW_SYNC_JOB,
  CALENDAR_SYNC_JOB,
  CALENDAR_TROUBLE_MAIL_JOB,
  CALENDAR_WITHDRAWAL_JOB,
  type CalendarMailJob,
  REMAINING_EVENTS_MAIL_JOB,
  type RemainingEventsMailJob,
} from './job-definitions.ts'
import { queueDueSyncs, syncConnection, syncOrDefer } from './sync-use-cases.ts'
import { withdrawAccess } from './withdrawal-use-cases.ts'

type MailDeps = Pick<ExternalCalendarsDeps, 'db' | 'baseUrl'> & {
  readonly mailer: Mailer
  readonly origin: MailOrigin
}

/** Registers the job handlers for external calendars. */
export async function registerExternalCalendarJobs(
  queue: JobQueue,
  deps: SyncDeps & Pick<ExternalCalendarsDeps, 'baseUrl'> & MailDeps,
): Promise<void> {
  await queue.work(CALENDAR_SYNC_JOB, (job) => syncOrDefer(deps, job))
  await queue.work(CALENDAR_SLOW_SYNC_JOB, async ({ connectionId, queuedAt }) => {
    await syncConnection(deps, connectionId, { queuedAt: new Date(queuedAt) })
  })
  await queue.work(CALENDAR_REMOVAL_JOB, (job) => removeConnection(deps, job))
  await queue.work(CALENDAR_WITHDRAWAL_JOB, (job) => withdrawAccess(deps, job))
  await queue.work(CALENDAR_EXPIRED_MAIL_JOB, (job) => sendExpiredMail(deps, job))
  await queue.work(CALENDAR_TROUBLE_MAIL_JOB, (job) => sendTroubleMail(deps, job))
  await queue.work(REMAINING_EVENTS_MAIL_JOB, (job) => sendEventsLeftMail(deps, job))
  await queue.work(CALENDAR_CHANNELS_JOB, () => renewChannels(deps))
  await queue.schedule(CALENDAR_CHANNELS_JOB, CALENDAR_CHANNELS_CRON, {})
  await queue.work(CALENDAR_POLL_JOB, () => queueDueSyncs(deps))
  await queue.schedule(CALENDAR_POLL_JOB, CALENDAR_POLL_CRON, {})
}

/** Asks an owner to reconnect an account, unless the owner has done so in the meantime. Source: rule G17. */
async function sendExpiredMail(deps: MailDeps, job: CalendarMailJob): Promise<void> {
  const expired = await findExpiredConnection(deps.db, job.connectionId, new Date(job.toldAt))
  if (expired === null) return
  const facts = toFacts(deps, job, expired)
  await deps.mailer.send(buildCalendarExpired({ ...facts, reconnectUrl: facts.settingsUrl }, deps.origin))
}

/** Notifies an owner that an account cannot be read, unless a sync has succeeded in the meantime. Source: rule G17. */
async function sendTroubleMail(deps: MailDeps, job: CalendarMailJob): Promise<void> {
  const troubled = await findFailingConnection(deps.db, job.connectionId, new Date(job.toldAt))
  if (troubled === null) return
  const { problem } = troubled
  await deps.mailer.send(buildCalendarTrouble({ ...toFacts(deps, job, troubled), problem }, deps.origin))
}

/**
 * Notifies an owner that an account still contains events, unless the owner's account was deleted. Source: rule G20.
 */
async function sendEventsLeftMail(deps: MailDeps, job: RemainingEventsMailJob): Promise<void> {
  const { connectionId, ownerId, provider, accountName } = job
  const owner = await findMailRecipient(deps.db, ownerId)
  if (owner === null) return
  await deps.mailer.send(
    buildRemainingEventsMail({ deliveryId: connectionId, owner, provider, accountName }, deps.origin),
  )
}

function toFacts(
  { baseUrl }: MailDeps,
  { connectionId, toldAt }: CalendarMailJob,
  { owner, provider, accountName, calendars }: ReportedConnection,
) {
  const [first] = calendars
  return {
    deliveryId: `${connectionId}.${toMessageIdPart(toldAt)}`,
    owner,
    provider,
    accountName,
    calendarNames: calendars.map(({ name }) => name),
    settingsUrl:
      first === undefined
        ? `${baseUrl}/dashboard`
        : `${baseUrl}/calendar/${first.id}/settings?tab=integrations`,
  }
}
