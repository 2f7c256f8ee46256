import { z } from 'zod'
import { findIanaNameOfZone } from '#server/integrations/icalendar/time-zone-names.ts'
import type { CalendarAccess, ListedCalendar } from '#server/ports/external-calendar.ts'
import type { GraphClient } from './graph-client.ts'
import { hasErrorKind } from './graph-errors.ts'
import { readPages } from './read-pages.ts'

/** Source: https://learn.microsoft.com/graph/api/resources/calendar */
const graphCalendar = z.object({
  id: z.string().min(1).max(1_024),
  name: z.string().nullish().catch(null),
  hexColor: z.string().nullish().catch(null),
  isDefaultCalendar: z.boolean().nullish().catch(null),
  canEdit: z.boolean().nullish().catch(null),
  owner: z.object({ address: z.string().nullish() }).nullish().catch(null),
})
type GraphCalendar = z.infer<typeof graphCalendar>

const PAGE_SIZE = '100'

/** Lists the account's calendars. `mayWrite` is true when the granted scopes allow writing events. */
export async function listCalendars(
  client: GraphClient,
  access: CalendarAccess,
  mayWrite: boolean,
): Promise<ListedCalendar[]> {
  const query = { $select: 'id,name,hexColor,isDefaultCalendar,canEdit,owner', $top: PAGE_SIZE }
  const pages = readPages((nextLink) =>
    client.call(access, nextLink === undefined ? { at: '/me/calendars', query } : { at: nextLink }),
  )
  const found: GraphCalendar[] = []
  for await (const { items } of pages) found.push(...items.flatMap((item) => toCalendars(item)))
  const timeZone = await findMailboxZone(client, access)
  const own = addressOf(found.find(({ isDefaultCalendar }) => isDefaultCalendar === true))
  return found.map((calendar) => ({
    externalId: calendar.id,
    name: calendar.name || 'Calendar',
    color: /^#[0-9a-f]{6}$/i.test(calendar.hexColor ?? '') ? (calendar.hexColor ?? null) : null,
    timeZone,
    isPrimary: calendar.isDefaultCalendar === true,
    // The scope covers only the account's own calendars, not calendars that others share with it.
    canWrite: mayWrite && calendar.canEdit === true && addressOf(calendar) === own,
  }))
}

function toCalendars(item: unknown): GraphCalendar[] {
  const { data } = graphCalendar.safeParse(item)
  return data === undefined ? [] : [data]
}

function addressOf(calendar: GraphCalendar | undefined): string {
  return calendar?.owner?.address?.toLowerCase() ?? ''
}

/** Returns the mailbox's time zone, which all its calendars use; null when the account does not reveal it. */
async function findMailboxZone(client: GraphClient, access: CalendarAccess): Promise<string | null> {
  try {
    const answer = await client.call(access, { at: '/me/mailboxSettings/timeZone' })
    const { data } = z.object({ value: z.string() }).safeParse(answer)
    return data === undefined ? null : findIanaNameOfZone(data.value)
  } catch (error) {
    if (hasErrorKind(error, 'forbidden') || hasErrorKind(error, 'gone')) return null
    throw error
  }
}
