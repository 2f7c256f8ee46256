import type { CustomerExport } from '#contract/customers/customer-records.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import type { WaitingListDeps } from './deps.ts'
import { WAITING_MAIL_JOB, type WaitingMailJob } from './job-definitions.ts'
import {
  deleteEntriesOfEmail,
  listEntriesOfEmail,
  listOffersOfEntries,
  moveEntriesToEmail,
  updateMailedAt,
} from './repository.ts'
import { removeWaitingEntry } from './use-cases.ts'

type Person = { readonly calendarId: string; readonly email: string }

/** Exports a customer's entries on the waiting list of a calendar, for their data export. Source: rule Z10. */
export async function exportWaitingEntries(
  db: Db,
  { calendarId, email }: Person,
): Promise<CustomerExport['waiting_list']> {
  const entries = await listEntriesOfEmail(db, calendarId, email)
  return entries.map((entry) => ({
    state: entry.state,
    name: entry.customer_name,
    phone: entry.customer_phone,
    service: entry.appointment_type_name,
    from_date: entry.from_date,
    to_date: entry.to_date,
    weekdays: [...entry.weekdays],
    day_parts: [...entry.day_parts],
    created_at: entry.created_at.toISOString(),
  }))
}

/**
 * Deletes a customer's entries on the waiting list of a calendar. Times that the customer was offered go to the next
 * customer. Source: rule Z10.
 */
export async function eraseWaitingEntries(
  deps: Pick<WaitingListDeps, 'now' | 'jobs'>,
  trx: Trx,
  { calendarId, email }: Person,
): Promise<void> {
  for (const entry of await listEntriesOfEmail(trx, calendarId, email))
    await removeWaitingEntry(deps, trx, entry)
  await deleteEntriesOfEmail(trx, calendarId, email)
}

/**
 * Moves a customer's waiting-list entries to another email address, and invalidates the links that we sent to the old one. Open
 * offers and pending confirmations are emailed again, with new links. Source: rules D13 and Z14.
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
  const offers = (await listOffersOfEntries(trx, calendarId, ids)).filter(({ state }) => state === 'open')
  for (const offer of offers) await updateMailedAt(trx, offer, null)
  const asked = entries.flatMap(({ id, state, link_rotation: rotation }): WaitingMailJob[] => {
    const about = { calendarId, entryId: id, rotation }
    const open = offers.find(({ entry_id }) => entry_id === id)
    if (open !== undefined) return [{ ...about, offerId: open.id }]
    return state === 'unconfirmed' ? [{ ...about, offerId: null }] : []
  })
  if (asked.length > 0) await jobs.insert(trx, WAITING_MAIL_JOB, asked)
}
