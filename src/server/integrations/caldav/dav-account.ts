import { z } from 'zod'
import type { CalendarAccess } from '#server/ports/external-calendar.ts'

const schema = z.object({
  username: z.string(),
  password: z.string(),
  /** URL of the collection that contains the account's calendars. */
  homeUrl: z.string(),
  /** The owner's addresses in lower case: email addresses, and others as reported by the server. */
  addresses: z.array(z.string()),
})

/** Credentials and addresses of an account on a CalDAV server. */
export type DavAccount = z.infer<typeof schema>

export function toDavAccount({ credentials }: Pick<CalendarAccess, 'credentials'>): DavAccount {
  return schema.parse(JSON.parse(credentials))
}

export function toCredentials(account: DavAccount): string {
  return JSON.stringify(schema.parse(account))
}

/** Key under which the account's work is counted. */
export function toAccountKey({ username, homeUrl }: Pick<DavAccount, 'username' | 'homeUrl'>): string {
  return `${username} ${homeUrl}`
}
