import { randomUUID } from 'node:crypto'
import type { Calendar } from '#contract/calendars/calendars.ts'
import type { TestMeridian } from './meridian.ts'
import { waitUntil } from './race-track.ts'
import { addHost } from './stored-rows.ts'

/**
 * Waits until Meridian's in-memory list of calendar hosts matches the database. Meridian reloads the list twice a second,
 * and a busy machine may take longer and still serve an older list. A new hostname, inserted last, shows that the list is
 * current.
 */
export async function waitUntilHostsCached(
  meridian: TestMeridian,
  { id }: Pick<Calendar, 'id'>,
): Promise<void> {
  const host = `${randomUUID()}.example`
  await addHost(meridian, id, { host, kind: 'subdomain', state: 'retired' })
  await waitUntil(async () => {
    const { statusCode } = await meridian.request({ url: '/', headers: { host } })
    return statusCode !== 421 || statusCode
  })
}
