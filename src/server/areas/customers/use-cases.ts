import type { CustomerMatch } from '#contract/appointments/owner-booking.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { toPersonSearch } from '#core/customers/person-search.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import { toSearchReaders } from '#server/platform/phone-numbers/parse-phone.ts'
import { type CalendarsDeps, getOwnCalendar } from '#server/records/calendars/use-cases.ts'
import { listMatchingCustomers } from './repository.ts'

type CustomersDeps = Pick<CalendarsDeps, 'db' | 'baseUrl'>

/**
 * Searches the customers of a calendar, in the same way as the list of appointments does. Returns at most 10; none for an empty
 * text. Source: rule V6.
 * @throws ProblemError `calendar.not_found`, `calendar.forbidden`
 */
export async function searchCustomers(
  deps: CustomersDeps,
  ownerId: OwnerId,
  input: { calendarId: string; search: string },
): Promise<CustomerMatch[]> {
  const { timezone } = await getOwnCalendar(deps, ownerId, input.calendarId)
  const person = toPersonSearch(input.search, toSearchReaders(timezone))
  if (person === null) return []
  return listMatchingCustomers(deps.db, input.calendarId, { person, limit: LIMITS.customerMatches })
}
