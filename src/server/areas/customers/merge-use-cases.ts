import type { Customer } from '#contract/customers/customers.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { moveWaitingEntriesToEmail } from '#server/areas/waiting-list/customer-use-cases.ts'
import { queueMessagesToCorrectedAddress } from '#server/messages/queue/use-cases.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import {
  findCustomerNotes,
  mergeCustomerRecords,
} from '#server/records/appointments/customer-change-repository.ts'
import {
  type CustomerKey,
  type CustomerRecord,
  lockCustomerRecord,
} from '#server/records/appointments/customer-record-repository.ts'
import { lockOwnCalendar } from '#server/records/calendars/use-cases.ts'
import { type CustomerPagesDeps, getCustomerRecord } from './page-use-cases.ts'

/**
 * Merges one customer's record into another. Fields that the kept record lacks are copied from the other, and the notes
 * of both are kept. A merge cannot be undone, because it is not stored which appointments belonged to which record.
 * Source: rule D11.
 * @throws ProblemError `calendar.*`, `customer.not_found`, `customer.erased`, `customer.same_record`,
 * `customer.notes_too_long`
 */
export async function mergeCustomers(
  deps: CustomerPagesDeps,
  ownerId: OwnerId,
  { calendarId, customerId, otherId }: CustomerKey & { readonly otherId: string },
): Promise<Customer> {
  if (customerId === otherId) throw new ProblemError('customer.same_record')
  return inTransaction(deps.db, async (trx) => {
    // The calendar's lock keeps both customers from booking in the meantime.
    await lockOwnCalendar(trx, ownerId, calendarId)
    const kept = await lockKnown(trx, { calendarId, customerId })
    const gone = await lockKnown(trx, { calendarId, customerId: otherId })
    const notes = [kept.notes, gone.notes].filter((text) => text !== null).join('\n\n')
    if (notes.length > LIMITS.customerNotes) throw new ProblemError('customer.notes_too_long')
    const [to, from] = [kept.record.email, gone.record.email]
    const hasOtherAddress = to !== null && from !== null
    if (hasOtherAddress) {
      await moveWaitingEntriesToEmail(deps, trx, { calendarId, email: from }, to)
      await queueMessagesToCorrectedAddress(
        deps,
        trx,
        { calendarId, customerId: otherId },
        new Date(deps.now()),
      )
    }
    await mergeCustomerRecords(trx, {
      calendarId,
      keptId: customerId,
      goneId: otherId,
      kept: {
        email: to ?? from,
        phone: kept.record.phone ?? gone.record.phone,
        notes: notes || null,
      },
      endsLinks: hasOtherAddress,
      at: new Date(deps.now()),
    })
    return getCustomerRecord(trx, { calendarId, customerId })
  })
}

async function lockKnown(
  trx: Trx,
  key: CustomerKey,
): Promise<{ record: CustomerRecord; notes: string | null }> {
  const record = await lockCustomerRecord(trx, key)
  if (record === null) throw new ProblemError('customer.not_found')
  if (record.erased_at !== null) throw new ProblemError('customer.erased')
  return { record, notes: await findCustomerNotes(trx, key) }
}
