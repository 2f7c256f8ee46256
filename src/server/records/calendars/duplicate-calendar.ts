import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import type { Calendar, duplicateCalendarBody } from '#contract/calendars/calendars.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { Budgets } from '#server/platform/budgets/budgets.ts'
import { refuseIfOverBudget } from '#server/platform/budgets/budgets.ts'
import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { refuseCalendarOverLimit } from '#server/records/subscription/use-cases.ts'
import { findCopyByKey, insertCopy, lockOwner } from './repository.ts'
import { reserveSlugFor } from './reserve-slug.ts'
import { type CalendarsDeps, getCalendarSettings, lockOwnCalendar } from './use-cases.ts'

/** A calendar and its new, still empty copy. */
export type CopiedCalendar = {
  readonly ownerId: OwnerId
  readonly originalId: string
  readonly copyId: string
  readonly copiedAt: Date
}

export type DuplicationDeps = CalendarsDeps & {
  readonly budgets: Pick<Budgets, 'spend'>
  /**
   * Copies everything outside the calendar's own row, in the same transaction: opening hours, special days, appointment types,
   * locations, branding files, and settings of external calendars.
   */
  readonly copyContent: (trx: Trx, copy: CopiedCalendar) => Promise<void>
}

/**
 * Creates a copy of a calendar that takes no bookings yet. It has the settings of the original, and neither its appointments and customers nor its
 * addresses and payment accounts. Requests with the same key create one copy. Source: rule C16.
 * @throws ProblemError `calendar.not_found`, `calendar.forbidden`, `calendar.limit_reached`, `calendar.slug_taken`,
 * `request.too_many`
 */
export async function duplicateCalendar(
  deps: DuplicationDeps,
  ownerId: OwnerId,
  originalId: string,
  { key, name, color }: z.output<typeof duplicateCalendarBody> & { readonly key: string | null },
): Promise<Calendar> {
  return inTransaction(deps.db, async (trx) => {
    const inside = { ...deps, db: trx }
    const copiedAt = new Date(deps.now())
    const owner = await lockOwner(trx, ownerId)
    // The account was deleted while this request was running.
    if (owner === null) throw new ProblemError('auth.required')
    const earlier = key === null ? null : await findCopyByKey(trx, ownerId, key)
    if (earlier !== null) return getCalendarSettings(inside, ownerId, earlier)
    await lockOwnCalendar(trx, ownerId, originalId)
    await refuseCalendarOverLimit(deps, trx, ownerId, { calendarCount: owner.calendarCount, now: copiedAt })
    refuseIfOverBudget(await deps.budgets.spend([{ budget: 'calendar_copies', subject: ownerId }], trx))
    const copyId = randomUUID()
    await insertCopy(trx, ownerId, {
      originalId,
      id: copyId,
      slug: await reserveSlugFor(trx, name),
      name,
      color: color ?? null,
      key,
      createdAt: copiedAt,
    })
    await deps.copyContent(trx, { ownerId, originalId, copyId, copiedAt })
    return getCalendarSettings(inside, ownerId, copyId)
  })
}
