import type { calendar_v3 } from '@googleapis/calendar'
import { z } from 'zod'
import { DAY_MS, SECOND_MS } from '#core/shared/duration.ts'
import type { CalendarSandboxContext } from '#sandbox/calendars/world.ts'
import { addSandboxObject, listSandboxObjects, saveSandboxObject } from '#sandbox/kit/sandbox-objects.ts'
import { GoogleErrorResponse, invalidRequestError, notFoundError } from './google-fault.ts'
import { channelKey, channelsOf, type SandboxChannel } from './world.ts'

const LIFETIME_MS = 7 * DAY_MS

/** Source: https://developers.google.com/workspace/calendar/api/v3/reference/events/watch */
const watchBody = z.object({
  id: z.string().regex(/^[\w+/=-]{1,64}$/),
  type: z.enum(['web_hook', 'webhook']),
  address: z.url({ protocol: /^https?$/ }),
  token: z.string().max(256).default(''),
  params: z.object({ ttl: z.coerce.number().int().min(1).optional() }).optional(),
})
const stopBody = z.object({ id: z.string(), resourceId: z.string() })

export async function createChannel(
  world: CalendarSandboxContext,
  calendarId: string,
  body: unknown,
): Promise<calendar_v3.Schema$Channel> {
  const asked = watchBody.safeParse(body)
  if (!asked.success) throw invalidRequestError('Invalid channel')
  const { id, address, token, params } = asked.data
  const lifetimeMs = params?.ttl === undefined ? LIFETIME_MS : params.ttl * SECOND_MS
  const channel: SandboxChannel = {
    id,
    calendarId,
    // All channels of a calendar have the same resource id.
    resourceId: Buffer.from(calendarId).toString('base64url'),
    address,
    token,
    expiresAtMs: world.now() + lifetimeMs,
    messages: 0,
    isStopped: false,
  }
  if (!(await addSandboxObject(world.db, channelsOf(calendarId), channelKey(id), channel))) {
    throw new GoogleErrorResponse(400, {
      reason: 'channelIdNotUnique',
      message: `Channel id ${id} not unique`,
    })
  }
  await notify(world, channel, 'sync')
  return {
    kind: 'api#channel',
    id,
    resourceId: channel.resourceId,
    resourceUri: resourceUriOf(calendarId),
    token,
    expiration: String(channel.expiresAtMs),
  }
}

export async function stopChannel(world: CalendarSandboxContext, body: unknown): Promise<void> {
  const asked = stopBody.safeParse(body)
  if (!asked.success) throw invalidRequestError('Invalid channel')
  const { id, resourceId } = asked.data
  const calendarId = Buffer.from(resourceId, 'base64url').toString()
  const channel = (await listChannels(world, calendarId)).find((open) => open.id === id)
  if (channel === undefined) throw notFoundError()
  await saveSandboxObject(world.db, channelsOf(calendarId), channelKey(id), { ...channel, isStopped: true })
}

/** Notifies all watchers of a calendar. `not_exists`: the calendar was deleted. */
export async function notifyChannelsOfCalendar(
  world: CalendarSandboxContext,
  calendarId: string,
  state: 'exists' | 'not_exists',
): Promise<void> {
  for (const channel of await listChannels(world, calendarId)) await notify(world, channel, state)
}

async function listChannels(world: CalendarSandboxContext, calendarId: string): Promise<SandboxChannel[]> {
  const channels = await listSandboxObjects(world.db, channelsOf(calendarId))
  return channels.filter(({ isStopped, expiresAtMs }) => !isStopped && expiresAtMs > world.now())
}

/** Source: https://developers.google.com/workspace/calendar/api/guides/push#understanding-the-notification-message-format */
async function notify(world: CalendarSandboxContext, channel: SandboxChannel, state: string): Promise<void> {
  const sent = { ...channel, messages: channel.messages + 1 }
  await saveSandboxObject(world.db, channelsOf(channel.calendarId), channelKey(channel.id), sent)
  world.push({
    address: channel.address,
    headers: {
      // The body is empty, as in Google's notifications.
      'content-type': 'application/json; utf-8',
      'x-goog-channel-id': channel.id,
      ...(channel.token === '' ? {} : { 'x-goog-channel-token': channel.token }),
      'x-goog-channel-expiration': new Date(channel.expiresAtMs).toUTCString(),
      'x-goog-resource-id': channel.resourceId,
      'x-goog-resource-uri': resourceUriOf(channel.calendarId),
      'x-goog-resource-state': state,
      'x-goog-message-number': String(sent.messages),
    },
    body: '',
  })
}

function resourceUriOf(calendarId: string): string {
  return `https://www.googleapis.com/calendar/v3/calendars/${encodeURIComponent(calendarId)}/events?alt=json`
}
