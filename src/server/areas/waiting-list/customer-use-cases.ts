import type { CustomerExport } from '#contract/customer-records.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import type { WaitingListDeps } from './deps.ts'
import { WAITING_MAIL, type WaitingMailJob } from './job-definitions.ts'
import {
  deleteEntriesOfEmail,
  listEntriesOfEmail,
  listOffersOf,
  moveEntriesToEmail,
  updateMailedAt,
} from './repository.ts'
import { removeEntry } from './use-cases.ts'

type Person = { readonly calendarId: string; readonly email: string }

/** What somebody left on the waiting list of a calendar, for the file that they take along. Source: rule Z10. */
export async function exportWaitingEntries(
  db: Db,
  { calendarId, email }: Person,
): Promise<CustomerExport['waiting_list']> {
  const entries = await listEntriesOfEmail(db, calendarId, email)
  return entries.map((entry) => ({
    state: entry.state,
    name: entry.customer.name,
    phone: entry.customer.phone,
    service: entry.typeName,
    from_date: entry.fromDate,
    to_date: entry.toDate,
    weekdays: [...entry.weekdays],
    day_parts: [...entry.dayParts],
    created_at: entry.createdAt.toISOString(),
  }))
}

/** Erases what somebody left on the waiting list of a calendar. What is offered to them goes to the next one. Source: rule Z10. */
export async function eraseWaitingEntries(
  deps: Pick<WaitingListDeps, 'now' | 'jobs'>,
  trx: Trx,
  { calendarId, email }: Person,
): Promise<void> {
  for (const entry of await listEntriesOfEmail(trx, calendarId, email)) await removeEntry(deps, trx, entry)
  await deleteEntriesOfEmail(trx, calendarId, email)
}

/**
 * The places of somebody on the waiting list of a calendar follow them to another address, and the links in emails to the former one
 * end. What waits for an answer is sent again, with links that work. Source: rules D13 and Z14.
 */
export async function moveWaitingEntriesToEmail(
  { jobs }: Pick<WaitingListDeps, 'jobs'>,
  trx: Trx,
  person: Person,
  to: string,
): Promise<void> {
  const { calendarId } = person
  const entries = await moveEntriesToEmail(trx, person, to)
  const ids = entries.map(({ id }) => id)
  const offers = (await listOffersOf(trx, calendarId, ids)).filter(({ state }) => state === 'open')
  for (const offer of offers) await updateMailedAt(trx, offer, null)
  const asked = entries.flatMap(({ id, state, linkRotation: rotation }): WaitingMailJob[] => {
    const about = { calendarId, entryId: id, rotation }
    const open = offers.find(({ entryId }) => entryId === id)
    if (open !== undefined) return [{ ...about, offerId: open.id }]
    return state === 'unconfirmed' ? [{ ...about, offerId: null }] : []
  })
  if (asked.length > 0) await jobs.insert(trx, WAITING_MAIL, asked)
}
