import { randomUUID } from 'node:crypto'
import type { Calendar } from '#contract/calendars/calendars.ts'
import type { TestMeridian } from './meridian.ts'
import { waitUntil } from './race-track.ts'
import { addHost } from './stored-rows.ts'

/**
 * Waits until the product has the hosts of calendars in its memory as they are stored now. It compares them twice a second, and
 * answers from an older memory where a busy machine needs longer for that. An earlier address, made last, shows that it has compared.
 */
export async function waitForHosts(meridian: TestMeridian, { id }: Pick<Calendar, 'id'>): Promise<void> {
  const host = `${randomUUID()}.example`
  await addHost(meridian, id, { host, kind: 'subdomain', state: 'retired' })
  await waitUntil(async () => {
    const { statusCode } = await meridian.request({ url: '/', headers: { host } })
    return statusCode !== 421 || statusCode
  })
}
