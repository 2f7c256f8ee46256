import type { z } from 'zod'
import type { SettingChangesResponse, settingChangesQuery } from '#contract/calendars/setting-changes.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { Db } from '#server/platform/db/database.ts'
import { getOwnCalendar } from '#server/records/calendars/use-cases.ts'
import { findNames, listSettingChanges, type StoredSettingChange } from './repository.ts'

/** Rows that are read for a page. A longer change continues on the next page. */
const ROWS_PER_PAGE = 200

/** The columns that refer to a record with a name. */
const REFERENCES = ['appointment_type_id', 'location_id', 'external_calendar_id']

/**
 * Returns a page of the changes of a calendar's settings, newest first. Rows that changed in one transaction are one change.
 * Source: rule C23.
 * @throws ProblemError `calendar.*`
 */
export async function getSettingChanges(
  { db }: { readonly db: Db },
  ownerId: OwnerId,
  calendarId: string,
  { before, kind }: z.output<typeof settingChangesQuery>,
): Promise<SettingChangesResponse> {
  await getOwnCalendar({ db }, ownerId, calendarId)
  const found = await listSettingChanges(db, ownerId, calendarId, { before, kind, limit: ROWS_PER_PAGE + 1 })
  const isCut = found.length > ROWS_PER_PAGE
  const groups = [...Map.groupBy(found.slice(0, ROWS_PER_PAGE), ({ at }) => at.getTime()).values()]
  // The last change may go on in the rows that were not read.
  const whole = isCut && groups.length > 1 ? groups.slice(0, -1) : groups
  const page = whole.slice(0, LIMITS.activityPage)
  const hasMore = isCut || whole.length > page.length
  const rows = page.flat()
  return {
    changes: page.map(toChange),
    names: await findNames(db, calendarId, listReferences(rows)),
    next: hasMore ? (rows.at(-1)?.number ?? null) : null,
  }
}

function toChange(rows: readonly StoredSettingChange[]): SettingChangesResponse['changes'][number] {
  const [newest] = rows
  if (newest === undefined) throw new Error('a change has rows')
  return {
    id: newest.number,
    at: newest.at.toISOString(),
    by: newest.by,
    rows: rows.toReversed().map(({ what, name, before, after }) => ({ what, name, before, after })),
  }
}

function listReferences(rows: readonly StoredSettingChange[]): string[] {
  const values = rows.flatMap(({ before, after }) =>
    REFERENCES.flatMap((column) => [before?.[column], after?.[column]]),
  )
  return [...new Set(values)].filter((value) => typeof value === 'string')
}
