import { createHash } from 'node:crypto'
import { addSandboxObject, listSandboxObjects } from '#server/platform/sandbox/sandbox-objects.ts'
import { accountKey, NO_FAULTS } from './account.ts'
import type { SandboxCalendar } from './calendar.ts'
import { ACCOUNTS, CALENDARS, calendarKey, type SandboxWorld } from './world.ts'

/** More than a person has at the stand-in. */
const MAX_CALENDARS = 1_000

/** An account with a calendar of its own, a second one, and one that somebody else lets it read. Keeps one that is there. */
export async function ensureAccount(world: SandboxWorld, email: string): Promise<void> {
  const account = { email, grantedScopes: [], faults: NO_FAULTS }
  if (!(await addSandboxObject(world.db, ACCOUNTS, accountKey(email), account))) return
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  const shared = { email, timeZone, isDeleted: false, changes: 0 }
  const calendars: readonly SandboxCalendar[] = [
    { ...shared, id: email, summary: email, color: '#9fe1e7', accessRole: 'owner', isPrimary: true },
    {
      ...shared,
      id: groupIdOf(email, 'Family'),
      summary: 'Family',
      color: '#f83a22',
      accessRole: 'owner',
      isPrimary: false,
    },
    {
      ...shared,
      id: groupIdOf(email, 'Team'),
      summary: 'Team',
      color: '#16a765',
      accessRole: 'reader',
      isPrimary: false,
    },
  ]
  for (const calendar of calendars) {
    await addSandboxObject(world.db, CALENDARS, calendarKey(calendar.id), calendar)
  }
}

/** The main one first. */
export async function listCalendarsOf(world: SandboxWorld, email: string): Promise<SandboxCalendar[]> {
  const all = await listSandboxObjects(world.db, CALENDARS, { limit: MAX_CALENDARS })
  return all
    .filter((calendar) => calendar.email === email && !calendar.isDeleted)
    .sort((a, b) => Number(b.isPrimary) - Number(a.isPrimary) || a.summary.localeCompare(b.summary))
}

function groupIdOf(email: string, name: string): string {
  const digest = createHash('sha256').update(`${email} ${name}`).digest('hex').slice(0, 26)
  return `${digest}@group.calendar.google.com`
}
