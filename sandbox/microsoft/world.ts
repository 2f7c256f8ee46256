import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { CalendarPageTexts, NewCalendar } from '#sandbox/calendars/world.ts'
import type { SandboxCollection } from '#sandbox/kit/sandbox-objects.ts'
import { APPOINTMENT_PROPERTY_ID } from '#server/integrations/microsoft/event-id.ts'

export const MICROSOFT_PAGE_TEXTS: CalendarPageTexts = {
  provider: 'Microsoft',
  title: 'Outlook Calendar',
  exampleEmail: 'owner@outlook.example',
  ownProperty: APPOINTMENT_PROPERTY_ID,
  kinds: { default: 'Event', outOfOffice: 'Out of office', workingLocation: 'Working elsewhere' },
  lostCursors: 'Delta links are too old (410)',
  rateLimits: {
    off: 'No',
    '429_with_retry_after': '429, come back in 30 seconds',
    '429': '429, without a time',
  },
}

/** The calendars of a new account: the main calendar, a second one, and another person's calendar, which is read-only. */
export function listInitialCalendars(email: string): NewCalendar[] {
  const named = (summary: string, more: Pick<NewCalendar, 'color' | 'accessRole' | 'isPrimary'>) => ({
    id: calendarIdOf(email, summary),
    summary,
    ...more,
  })
  return [
    named('Calendar', { color: '', accessRole: 'owner', isPrimary: true }),
    named('Family', { color: '#f83a22', accessRole: 'owner', isPrimary: false }),
    named('Team', { color: '#16a765', accessRole: 'reader', isPrimary: false }),
  ]
}

export function calendarIdOf(email: string, name: string): string {
  return `AAMkAG${createHash('sha256').update(`${email} ${name}`).digest('base64url')}AAA=`
}

/** Derives Microsoft's id of an account from its email address. */
export function userIdOf(email: string): string {
  const hex = createHash('sha256').update(email).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    '-',
  )
}

/** The collection of refresh tokens. Each is used once and then replaced by a new one. */
export const MICROSOFT_REFRESH_TOKENS = {
  provider: 'microsoft',
  kind: 'refresh_token',
  schema: z.object({ email: z.string(), scopes: z.array(z.string()), isUsed: z.boolean() }),
} as const

const sandboxSubscription = z.object({
  id: z.string(),
  email: z.string(),
  calendarId: z.string(),
  notificationUrl: z.string(),
  lifecycleUrl: z.string().nullable(),
  clientState: z.string(),
  expiresAtMs: z.number(),
  isEnded: z.boolean(),
})
export type SandboxSubscription = z.infer<typeof sandboxSubscription>
export const SUBSCRIPTION_COLLECTION: SandboxCollection<SandboxSubscription> = {
  provider: 'microsoft',
  kind: 'subscription',
  schema: sandboxSubscription,
}
export const subscriptionKey = (id: string) => `subscription:${id}`
