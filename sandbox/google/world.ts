import { createHash } from 'node:crypto'
import { z } from 'zod'
import { accountsOf, type CalendarPageTexts, type NewCalendar } from '#sandbox/calendars/world.ts'
import type { SandboxCollection } from '#sandbox/kit/sandbox-objects.ts'
import { APPOINTMENT_PROPERTY } from '#server/integrations/google/event-id.ts'

export const GOOGLE_PAGE_TEXTS: CalendarPageTexts = {
  provider: 'Google',
  title: 'Google Calendar',
  exampleEmail: 'owner@gmail.example',
  ownProperty: APPOINTMENT_PROPERTY,
  kinds: {
    default: 'Event',
    outOfOffice: 'Out of office',
    focusTime: 'Focus time',
    workingLocation: 'Working location',
    birthday: 'Birthday',
  },
  lostCursors: 'Sync tokens are too old (410)',
  rateLimits: {
    off: 'No',
    '429_with_retry_after': '429, come back in 30 seconds',
    '429': '429, without a time',
    '403': '403 rateLimitExceeded',
  },
}

export const GOOGLE_ACCOUNTS = accountsOf('google')

/**
 * The calendars of a new account: the main calendar, whose id is the account's email address, a second one, and another person's
 * calendar, which is read-only.
 */
export function listInitialCalendars(email: string): NewCalendar[] {
  return [
    { id: email, summary: email, color: '#9fe1e7', accessRole: 'owner', isPrimary: true },
    {
      id: groupIdOf(email, 'Family'),
      summary: 'Family',
      color: '#f83a22',
      accessRole: 'owner',
      isPrimary: false,
    },
    {
      id: groupIdOf(email, 'Team'),
      summary: 'Team',
      color: '#16a765',
      accessRole: 'reader',
      isPrimary: false,
    },
  ]
}

function groupIdOf(email: string, name: string): string {
  const digest = createHash('sha256').update(`${email} ${name}`).digest('hex').slice(0, 26)
  return `${digest}@group.calendar.google.com`
}

/** The collection of refresh tokens. */
export const GOOGLE_REFRESH_TOKENS = {
  provider: 'google',
  kind: 'refresh_token',
  schema: z.object({ email: z.string(), scopes: z.array(z.string()), isRevoked: z.boolean() }),
} as const

const sandboxChannel = z.object({
  id: z.string(),
  calendarId: z.string(),
  resourceId: z.string(),
  address: z.string(),
  token: z.string(),
  expiresAtMs: z.number(),
  messages: z.number(),
  isStopped: z.boolean(),
})
export type SandboxChannel = z.infer<typeof sandboxChannel>
export function channelsOf(calendarId: string): SandboxCollection<SandboxChannel> {
  return { provider: 'google', kind: `channel:${calendarId}`, schema: sandboxChannel }
}
export const channelKey = (id: string) => `channel:${id}`
