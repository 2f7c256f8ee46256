import type { z } from 'zod'
import type { Customer, customerChanges } from '#contract/customers/customers.ts'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { normaliseEmailAddress } from '#core/shared/comparable-address.ts'
import {
  eraseWaitingEntries,
  moveWaitingEntriesToEmail,
} from '#server/areas/waiting-list/customer-use-cases.ts'
import { queueMessages, queueMessagesToCorrectedAddress } from '#server/messages/queue/use-cases.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { refuseStaleChange } from '#server/platform/http/refuse-stale-change.ts'
import {
  correctCustomerRecord,
  findCustomerNotes,
  isEmailTaken,
  storeCustomerNotes,
} from '#server/records/appointments/customer-change-repository.ts'
import {
  type CustomerKey,
  type CustomerRecord,
  lockCustomerRecord,
} from '#server/records/appointments/customer-record-repository.ts'
import { lockOwnCalendar } from '#server/records/calendars/use-cases.ts'
import { recordHistoryForAppointments } from '#server/records/history/use-cases.ts'
import { type CustomerPagesDeps, getCustomerRecord } from './page-use-cases.ts'

/** The identifying fields of a customer. */
type Identity = Pick<CustomerRecord, 'name' | 'email' | 'phone'>

/**
 * Changes the name, the email address, the phone number and the private notes of a customer. Source: rules D9 and D13.
 * @throws ProblemError `calendar.*`, `customer.not_found`, `customer.erased`, `customer.address_taken`, `request.changed_meanwhile`
 */
export async function changeCustomer(
  deps: CustomerPagesDeps,
  ownerId: OwnerId,
  key: CustomerKey,
  { was, notes, name, email, phone }: z.output<typeof customerChanges>,
): Promise<Customer> {
  return inTransaction(deps.db, async (trx) => {
    // The calendar's lock keeps others from booking with the old or the new email address until the transaction ends.
    await lockOwnCalendar(trx, ownerId, key.calendarId)
    const record = await lockCustomerRecord(trx, key)
    if (record === null) throw new ProblemError('customer.not_found')
    if (record.erased_at !== null) throw new ProblemError('customer.erased')
    refuseStaleChange({ ...record, notes: await findCustomerNotes(trx, key) }, was)
    if (notes !== undefined) await storeCustomerNotes(trx, key, notes || null)
    await correctCustomer(deps, trx, key, {
      before: record,
      after: {
        name: name ?? record.name,
        email: email === undefined ? record.email : email || null,
        phone: phone === undefined ? record.phone : phone || null,
      },
    })
    return getCustomerRecord(trx, key)
  })
}

/**
 * Corrects a customer's record. If the email address changes, links sent to the old address stop working, and the new
 * address gets the pending emails and a message with new links. Source: rules D13 and R2.
 */
async function correctCustomer(
  deps: CustomerPagesDeps,
  trx: Trx,
  key: CustomerKey,
  { before, after }: { readonly before: Identity; readonly after: Identity },
): Promise<void> {
  const what = listCorrected(before, after)
  if (what.length === 0) return
  const isMoved = !isSameAddress(before.email, after.email)
  if (isMoved && after.email !== null && (await isEmailTaken(trx, key, after.email))) {
    throw new ProblemError('customer.address_taken', [
      { path: 'email', message: PROBLEMS['customer.address_taken'].title },
    ])
  }
  const at = new Date(deps.now())
  const ahead = await correctCustomerRecord(trx, key, {
    before,
    after,
    at,
    endsLinks: isMoved && before.email !== null,
  })
  await recordHistoryForAppointments(
    trx,
    { calendarId: key.calendarId, ids: ahead.map(({ id }) => id) },
    { kind: 'customer_corrected', causedBy: 'owner', details: { what }, at },
  )
  if (!isMoved) return
  await moveWaiting(deps, trx, key.calendarId, { from: before.email, to: after.email })
  await queueMessagesToCorrectedAddress(deps, trx, key, at)
  const [next, ...others] = ahead
  if (after.email === null || next === undefined) return
  await queueMessages(deps, trx, [
    {
      calendarId: key.calendarId,
      appointmentId: next.id,
      kind: 'new_address',
      causedBy: 'owner',
      revision: { sequence: next.sequence, changedAt: at },
      details: { others: others.length },
    },
  ])
}

function isSameAddress(one: string | null, other: string | null): boolean {
  return normaliseEmailAddress(one ?? '') === normaliseEmailAddress(other ?? '')
}

/**
 * Lists the names of the corrected fields, for the history. Their values are left out, because erasing a customer's
 * data does not change the history.
 */
function listCorrected(before: Identity, after: Identity): string[] {
  return [
    ...(before.name === after.name ? [] : ['name']),
    ...(before.email === after.email ? [] : ['email address']),
    ...(before.phone === after.phone ? [] : ['phone number']),
  ]
}

/**
 * Moves a customer's waiting-list entries to the new email address. If the customer has no address any more, the
 * entries are deleted, because offers cannot be emailed.
 */
async function moveWaiting(
  deps: CustomerPagesDeps,
  trx: Trx,
  calendarId: string,
  { from, to }: { readonly from: string | null; readonly to: string | null },
): Promise<void> {
  if (from === null) return
  if (to === null) await eraseWaitingEntries(deps, trx, { calendarId, email: from })
  else await moveWaitingEntriesToEmail(deps, trx, { calendarId, email: from }, to)
}
