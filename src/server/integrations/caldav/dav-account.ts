import { z } from 'zod'
import type { CalendarAccess } from '#server/ports/external-calendar.ts'

const schema = z.object({
  username: z.string(),
  password: z.string(),
  /** URL of the collection that contains the account's calendars. */
  homeUrl: z.string(),
  /** The owner's addresses in events, in lower case: email addresses, and other forms that the server reports. */
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

/** Returns the key by which the CPU time of reading an account's calendars is counted. */
export function toAccountKey({ username, homeUrl }: Pick<DavAccount, 'username' | 'homeUrl'>): string {
  return `${username} ${homeUrl}`
}
