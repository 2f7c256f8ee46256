import { toProfessionalName } from '#core/calendars/professional-name.ts'
import { addDays } from '#core/shared/calendar-date.ts'
import { SECOND_MS } from '#core/shared/duration.ts'
import { toEpochMs } from '#core/shared/zoned-time.ts'
import { buildWaitingClosed } from '#server/messages/emails/waiting-mail.ts'
import { findRecipientStatus } from '#server/messages/queue/recipient-repository.ts'
import { findSendingOwner } from '#server/messages/queue/sender-repository.ts'
import { spendMailBudgets } from '#server/messages/queue/spend-mail-budgets.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import { findWaitingListCalendar } from './calendar-repository.ts'
import type { WaitingListDeps } from './deps.ts'
import { CLOSED_LIST_MAIL_JOB, type ClosedListJob } from './job-definitions.ts'
import { listClosedListRecipients, type StoredWaitingEntry } from './repository.ts'
import type { WaitingMailDeps } from './send-waiting-mail.ts'

/**
 * Sends the "list closed" email, unless the last date that the customer requested has passed. Throws when the mail
 * server did not accept it, so that the job is retried. Source: rule Z15.
 */
export async function sendClosedListMail(
  deps: Omit<WaitingMailDeps, 'signer' | 'baseUrl' | 'defaultTier'>,
  job: ClosedListJob,
): Promise<void> {
  const { calendarId, sender, content, lastDate, timeZone } = job
  const isOver = deps.now() >= toEpochMs(addDays(lastDate, 1), 0, timeZone)
  const recipientKey = deps.recipientKeys.keyOf(content.customer.email)
  if (isOver || (await findRecipientStatus(deps.db, recipientKey)) === 'stopped') return
  const room = await spendMailBudgets(deps, {
    sender,
    calendarId,
    recipientKey,
    causedBy: 'owner',
    isToOwner: recipientKey === deps.recipientKeys.keyOf(sender.email),
    isFirstWord: false,
    isKnown: true,
  })
  if (room.wait !== null) {
    const waitMs = room.wait.until.getTime() - deps.now()
    await deps.jobs.send(CLOSED_LIST_MAIL_JOB, job, { afterSeconds: Math.ceil(waitMs / SECOND_MS) })
    return
  }
  try {
    await deps.mailer.send(buildWaitingClosed(content, deps.origin))
  } catch (error) {
    await room.uncountAfter(error)
    throw error
  }
}

/** Number of email addresses that are loaded and queued at once. */
const BATCH_SIZE = 500

/**
 * Queues the "list closed" emails for a calendar that is about to be deleted, one per address. Runs in the deleting
 * transaction. The jobs contain all data that the emails need, because the rows will be deleted. Source: rule Z15.
 */
export async function queueClosedListMails(
  deps: Pick<WaitingListDeps, 'now' | 'jobs'>,
  trx: Trx,
  calendarId: string,
): Promise<void> {
  const now = new Date(deps.now())
  const sender = await findSendingOwner(trx, calendarId, now)
  const calendar = await findWaitingListCalendar(trx, calendarId)
  if (sender === null || calendar === null) return
  const about = {
    owner: { name: calendar.owner_name, email: calendar.owner_email },
    calendar: {
      name: calendar.name,
      color: calendar.color,
      professionalName: toProfessionalName(calendar.professional_first_name, calendar.professional_last_name),
    },
  }
  let page: readonly StoredWaitingEntry[] = []
  do {
    const after = page.at(-1)?.customer_email ?? null
    page = await listClosedListRecipients(trx, calendarId, { now, after, limit: BATCH_SIZE })
    const jobs = page.map(
      ({ id, customer_name: name, customer_email: email, to_date: lastDate, time_zone: timeZone }) => {
        return {
          calendarId,
          sender,
          content: { ...about, id, customer: { name, email } },
          lastDate,
          timeZone,
        }
      },
    )
    if (jobs.length > 0) await deps.jobs.insert(trx, CLOSED_LIST_MAIL_JOB, jobs)
  } while (page.length === BATCH_SIZE)
}
