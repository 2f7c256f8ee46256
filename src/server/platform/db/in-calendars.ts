import { type RawBuilder, sql } from 'kysely'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'

/** One calendar, or several calendars of an owner. */
export type OwnCalendars = { readonly ownerId: OwnerId; readonly calendarIds: readonly string[] }

/** SQL condition that is true for the rows of these calendars. A single id is compared with `=`, which keeps the order of an index. */
export function isInCalendars(
  column: RawBuilder<unknown>,
  calendarIds: readonly string[],
): RawBuilder<boolean> {
  const [only] = calendarIds
  return calendarIds.length === 1
    ? sql<boolean>`${column} = ${only}`
    : sql<boolean>`${column} = any(${calendarIds}::uuid[])`
}

/** Like `isInCalendars`, and false for calendars of other owners. */
export function isInOwnCalendars(
  column: RawBuilder<unknown>,
  { ownerId, calendarIds }: OwnCalendars,
): RawBuilder<boolean> {
  const own = sql`select id from calendars where ${isInCalendars(sql`id`, calendarIds)} and user_id = ${ownerId}`
  return calendarIds.length === 1
    ? sql<boolean>`${column} = (${own})`
    : sql<boolean>`${column} = any(array(${own}))`
}
