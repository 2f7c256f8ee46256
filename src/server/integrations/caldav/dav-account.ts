import { z } from 'zod'
import type { CalendarAccess } from '#server/ports/external-calendar.ts'

const schema = z.object({
  username: z.string(),
  password: z.string(),
  /** Where the calendars of the account are. */
  homeUrl: z.string(),
  /** Addresses of the owner in lower case: those for email, and others as the server writes them. */
  addresses: z.array(z.string()),
})

/** What reaches one account of a CalDAV server. */
export type DavAccount = z.infer<typeof schema>

export function toDavAccount({ credentials }: Pick<CalendarAccess, 'credentials'>): DavAccount {
  return schema.parse(JSON.parse(credentials))
}

export function toCredentials(account: DavAccount): string {
  return JSON.stringify(schema.parse(account))
}

/** The name under which the work of an account is counted. */
export function toAccountKey({ username, homeUrl }: Pick<DavAccount, 'username' | 'homeUrl'>): string {
  return `${username} ${homeUrl}`
}
