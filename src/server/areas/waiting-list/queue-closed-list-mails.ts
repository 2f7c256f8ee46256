import { toProfessionalName } from '#core/calendars/professional-name.ts'
import { findSender } from '#server/messages/queue/sender-repository.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import { findListCalendar } from './calendar-repository.ts'
import type { WaitingListDeps } from './deps.ts'
import { CLOSED_LIST_MAIL } from './job-definitions.ts'
import { type Entry, listClosedListRecipients } from './repository.ts'

/** Batch size: addresses that are read and queued at once. */
const TOLD_AT_ONCE = 500

/**
 * Queues the "list closed" emails for a calendar that is about to be deleted, one per address. Runs in the deleting
 * transaction. The jobs contain everything that the emails need, because the rows will be gone. Source: rule Z15.
 */
export async function queueClosedListMails(
  deps: Pick<WaitingListDeps, 'now' | 'jobs'>,
  trx: Trx,
  calendarId: string,
): Promise<void> {
  const now = new Date(deps.now())
  const sender = await findSender(trx, calendarId, now)
  const calendar = await findListCalendar(trx, calendarId)
  if (sender === null || calendar === null) return
  const about = {
    owner: { name: calendar.ownerName, email: calendar.ownerEmail },
    calendar: {
      name: calendar.name,
      color: calendar.color,
      professionalName: toProfessionalName(calendar.professionalFirstName, calendar.professionalLastName),
    },
  }
  let page: readonly Entry[] = []
  do {
    const after = page.at(-1)?.customer.email ?? null
    page = await listClosedListRecipients(trx, calendarId, { now, after, limit: TOLD_AT_ONCE })
    const jobs = page.map(({ id, customer: { name, email }, toDate: lastDate, timeZone }) => {
      return { calendarId, sender, content: { ...about, id, customer: { name, email } }, lastDate, timeZone }
    })
    if (jobs.length > 0) await deps.jobs.insert(trx, CLOSED_LIST_MAIL, jobs)
  } while (page.length === TOLD_AT_ONCE)
}
