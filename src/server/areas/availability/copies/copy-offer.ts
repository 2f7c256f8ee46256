import { localDateOf } from '#core/shared/zoned-time.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import type { CopiedCalendar } from '#server/records/calendars/duplicate-calendar.ts'
import { getOwnCalendar } from '#server/records/calendars/use-cases.ts'
import { copyHolidays, copyLocations, copyOpenings, copySpecialDays, copyTypes } from './repository.ts'

/**
 * Copies to a new calendar everything that decides what customers can book: opening hours, special days that are not over,
 * the choices about public holidays, appointment types, and the owner's locations. Another owner's location is left out,
 * because its sharing code allows one calendar. Source: rule C16.
 */
export async function copyOffer(trx: Trx, copy: CopiedCalendar): Promise<void> {
  const { timezone } = await getOwnCalendar({ db: trx }, copy.ownerId, copy.copyId)
  await copyOpenings(trx, copy)
  await copySpecialDays(trx, { ...copy, today: localDateOf(copy.copiedAt.getTime(), timezone) })
  await copyHolidays(trx, copy)
  await copyTypes(trx, copy)
  await copyLocations(trx, copy)
}
