import type { z } from 'zod'
import type { CustomerMatch } from '#contract/appointments/owner-booking.ts'
import type {
  AllCustomersResponse,
  Customer,
  CustomerExportByOwner,
  CustomerListResponse,
  customerListQuery,
  ListedCustomer,
} from '#contract/customers/customers.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { toPersonSearch } from '#core/customers/person-search.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { Db } from '#server/platform/db/database.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { listDialableNumbers, toSearchReaders } from '#server/platform/phone-numbers/parse-phone.ts'
import type { SecretBox } from '#server/platform/secrets/secret-box.ts'
import { findCustomerNotes } from '#server/records/appointments/customer-change-repository.ts'
import type { CustomerKey } from '#server/records/appointments/customer-record-repository.ts'
import { listCalendarClocks } from '#server/records/calendars/repository.ts'
import { type CalendarsDeps, getOwnCalendar } from '#server/records/calendars/use-cases.ts'
import { listAnswersOfAppointments } from '#server/records/questions/use-cases.ts'
import { eraseCustomer, exportCustomer } from './record-use-cases.ts'
import {
  type CustomerListRow,
  findCustomersPage,
  findListedCustomer,
  listMatchingCustomers,
  sumPaymentsOfCustomer,
} from './repository.ts'

export type CustomerPagesDeps = Pick<CalendarsDeps, 'db' | 'baseUrl' | 'now' | 'defaultTier' | 'jobs'>
export type CustomerExportDeps = CustomerPagesDeps & { readonly secrets: Pick<SecretBox, 'open'> }

/**
 * Lists the customers of a calendar by name, in pages. Source: rule D10.
 * @throws ProblemError `calendar.not_found`, `calendar.forbidden`
 */
export async function listCustomers(
  deps: CustomerPagesDeps,
  ownerId: OwnerId,
  { calendarId, search, page }: { calendarId: string } & z.output<typeof customerListQuery>,
): Promise<CustomerListResponse> {
  const { timezone } = await getOwnCalendar(deps, ownerId, calendarId)
  const person = toPersonSearch(search, toSearchReaders(timezone))
  const found = await findCustomersPage(deps.db, {
    calendarIds: [calendarId],
    person,
    page,
    size: LIMITS.pageSize,
  })
  return { customers: found.rows.map(toListed), total: found.total }
}

/**
 * Lists the customers of all calendars of the owner by name, in pages. A customer of two calendars is listed twice,
 * because each calendar has its own record. National phone numbers in the search are read as in the country of the
 * newest calendar. Source: rule D10.
 */
export async function listAllCustomers(
  deps: CustomerPagesDeps,
  ownerId: OwnerId,
  { search, page }: z.output<typeof customerListQuery>,
): Promise<AllCustomersResponse> {
  const calendars = await listCalendarClocks(deps.db, ownerId)
  const [newest] = calendars
  if (newest === undefined) return { customers: [], total: 0 }
  const found = await findCustomersPage(deps.db, {
    calendarIds: calendars.map(({ id }) => id),
    person: toPersonSearch(search, toSearchReaders(newest.timezone)),
    page,
    size: LIMITS.pageSize,
  })
  return {
    customers: found.rows.map((row) => ({ ...toListed(row), calendar_id: row.calendar_id })),
    total: found.total,
  }
}

/**
 * Returns one customer of a calendar.
 * @throws ProblemError `calendar.not_found`, `calendar.forbidden`, `customer.not_found`
 */
export async function getCustomer(
  deps: CustomerPagesDeps,
  ownerId: OwnerId,
  key: CustomerKey,
): Promise<Customer> {
  await getOwnCalendar(deps, ownerId, key.calendarId)
  return getCustomerRecord(deps.db, key)
}

/**
 * Returns a customer's record for the calendar's owner. Source: rule D9.
 * @throws ProblemError `customer.not_found`
 */
export async function getCustomerRecord(db: Db, key: CustomerKey): Promise<Customer> {
  const row = await findListedCustomer(db, key)
  if (row === null) throw new ProblemError('customer.not_found')
  const money = await sumPaymentsOfCustomer(db, key)
  return {
    ...toListed(row),
    phone_numbers: [...listDialableNumbers(row.phone, row.time_zone)],
    created_at: row.created_at.toISOString(),
    erased_at: row.erased_at?.toISOString() ?? null,
    notes: row.notes,
    money: money.map(({ currency, is_sandbox, paid_cents, refunded_cents }) => ({
      currency: currency.toUpperCase(),
      sandbox: is_sandbox,
      paid: paid_cents / 100,
      refunded: refunded_cents / 100,
    })),
  }
}

function toListed(row: CustomerListRow): ListedCustomer {
  const { id, client_id, name, email, phone, appointments, latest_at } = row
  return { id, client_id, name, email, phone, appointments, latest_at: latest_at?.toISOString() ?? null }
}

/**
 * Exports all data stored about a customer. They include the owner's notes, which are personal data of the customer
 * too. Source: rule D12.
 * @throws ProblemError `calendar.not_found`, `calendar.forbidden`, `customer.not_found`
 */
export async function exportCustomerForOwner(
  deps: CustomerExportDeps,
  ownerId: OwnerId,
  key: CustomerKey,
): Promise<CustomerExportByOwner> {
  await getOwnCalendar(deps, ownerId, key.calendarId)
  const exported = await exportCustomer(deps, key, (of) => listAnswersOfAppointments(deps, of))
  return { ...exported, notes: await findCustomerNotes(deps.db, key) }
}

/**
 * Erases one customer. Source: rule D12.
 * @throws ProblemError `calendar.not_found`, `calendar.forbidden`, `customer.not_found`, `customer.appointments_ahead`
 */
export async function eraseCustomerForOwner(
  deps: CustomerPagesDeps,
  ownerId: OwnerId,
  key: CustomerKey,
): Promise<void> {
  await getOwnCalendar(deps, ownerId, key.calendarId)
  await eraseCustomer(deps, key)
}

type CustomersDeps = Pick<CalendarsDeps, 'db' | 'baseUrl'>

/**
 * Searches the customers of a calendar, in the same way as the list of appointments does. Returns at most 10 customers,
 * and none for an empty text. Source: rule V6.
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
