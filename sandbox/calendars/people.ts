import { addSandboxObject, listSandboxObjects } from '#sandbox/kit/sandbox-objects.ts'
import { accountKey, NO_FAULTS } from './account.ts'
import type { SandboxCalendar } from './calendar.ts'
import { accountsOf, type CalendarSandboxContext, calendarKey, calendarsOf } from './world.ts'

/** Maximum number of calendars to list. More than any test or demo has. */
const MAX_CALENDARS = 1_000

/** Creates an account with its calendars, unless it exists. */
export async function ensureAccount(world: CalendarSandboxContext, email: string): Promise<void> {
  const { db, provider } = world
  const account = { email, grantedScopes: [], faults: NO_FAULTS }
  if (!(await addSandboxObject(db, accountsOf(provider), accountKey(email), account))) return
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  for (const calendar of world.listNewCalendars(email)) {
    const kept = { email, timeZone, isDeleted: false, changes: 0, ...calendar }
    await addSandboxObject(db, calendarsOf(provider), calendarKey(calendar.id), kept)
  }
}

/** Lists an account's calendars, the main calendar first. */
export async function listCalendarsOf(
  { db, provider }: Pick<CalendarSandboxContext, 'db' | 'provider'>,
  email: string,
): Promise<SandboxCalendar[]> {
  const all = await listSandboxObjects(db, calendarsOf(provider), { limit: MAX_CALENDARS })
  return all
    .filter((calendar) => calendar.email === email && !calendar.isDeleted)
    .sort((a, b) => Number(b.isPrimary) - Number(a.isPrimary) || a.summary.localeCompare(b.summary))
}
