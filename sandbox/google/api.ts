import type { calendar_v3 } from '@googleapis/calendar'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { SandboxCalendar } from '#sandbox/calendars/calendar.ts'
import {
  faultsOf,
  getCalendar,
  getTokenHolder,
  registerCalendarApi,
} from '#sandbox/calendars/calendar-api.ts'
import { findEvent } from '#sandbox/calendars/change-events.ts'
import { listCalendarsOf } from '#sandbox/calendars/people.ts'
import type { CalendarSandboxContext, TokenHolder } from '#sandbox/calendars/world.ts'
import { originOfRequest } from '#sandbox/kit/sandbox-server.ts'
import { isScopeGranted, READ_SCOPES, WRITE_SCOPE } from '#server/integrations/google/google-scopes.ts'
import { createChannel, stopChannel } from './channels.ts'
import { toEventResource } from './event-resource.ts'
import { missingScopeError, notFoundError } from './google-fault.ts'
import { listEvents } from './list-events.ts'
import { selectResponseFields } from './select-fields.ts'
import { deleteEvent, insertEvent, patchEvent } from './write-event.ts'

const [LIST_SCOPE = '', BUSY_SCOPE = ''] = READ_SCOPES

/** The scopes that event operations require. Source: the methods' descriptions in Google's client library. */
const EVENT_SCOPES = [BUSY_SCOPE, WRITE_SCOPE]

type Asked = { Params: { calendarId: string; eventId: string }; Querystring: { fields?: string } }

/** Registers the part of Google's API that Meridian uses. */
export function registerGoogleCalendarApi(app: FastifyInstance, world: CalendarSandboxContext): void {
  registerCalendarApi(app, world, {
    prefix: '/calendar/v3',
    register: (api) => {
      // The `fields` parameter selects a part of the response. Errors are always sent in full.
      api.addHook('preSerialization', async ({ query }, { statusCode }, answer) => {
        const { fields } = z.object({ fields: z.string().optional() }).parse(query)
        return fields === undefined || statusCode >= 400 ? answer : selectResponseFields(answer, fields)
      })
      registerCalendars(api, world)
      registerEvents(api, world)
      api.post('/channels/stop', async (request, reply) => {
        requireScope(world, request, EVENT_SCOPES)
        await stopChannel(world, request.body)
        return reply.code(204).send()
      })
    },
  })
}

function registerCalendars(api: FastifyInstance, world: CalendarSandboxContext): void {
  api.get('/users/me/calendarList', async (request): Promise<calendar_v3.Schema$CalendarList> => {
    const { email } = requireScope(world, request, [LIST_SCOPE])
    const calendars = await listCalendarsOf(world, email)
    return {
      kind: 'calendar#calendarList',
      etag: `"p${calendars.length}"`,
      nextSyncToken: `calendars-${calendars.length}`,
      items: calendars.map(toListEntry),
    }
  })

  api.get<Asked>('/users/me/calendarList/:calendarId', async (request) => {
    const { email } = requireScope(world, request, [LIST_SCOPE])
    return toListEntry(await getCalendar(world, email, request.params.calendarId))
  })
}

function registerEvents(api: FastifyInstance, world: CalendarSandboxContext): void {
  const path = '/calendars/:calendarId/events'
  const get = async (request: FastifyRequest<Asked>, scopes: readonly string[]) => {
    const holder = requireScope(world, request, scopes)
    const calendar = await getCalendar(world, holder.email, request.params.calendarId)
    const isDetailed = isScopeGranted(holder.scopes, WRITE_SCOPE) && calendar.accessRole === 'owner'
    const faults = await faultsOf(world, holder.email)
    return { calendar, isDetailed, faults, origin: originOfRequest(request) }
  }
  const placeOf = ({ params, headers }: FastifyRequest<Asked>) => ({
    ...params,
    etag: headers['if-match'],
  })

  api.get<Asked>(path, async (request) => listEvents(world, request.query, await get(request, EVENT_SCOPES)))

  api.get<Asked>(`${path}/:eventId`, async (request) => {
    const surroundings = await get(request, [WRITE_SCOPE])
    const { calendarId, eventId } = request.params
    const event = await findEvent(world, world.db, calendarId, eventId)
    if (event === null) throw notFoundError()
    return toEventResource(event, surroundings)
  })

  api.post<Asked>(path, async (request) => {
    const surroundings = await get(request, [WRITE_SCOPE])
    return toEventResource(await insertEvent(world, request.params.calendarId, request.body), surroundings)
  })

  api.patch<Asked>(`${path}/:eventId`, async (request) => {
    const surroundings = await get(request, [WRITE_SCOPE])
    return toEventResource(await patchEvent(world, placeOf(request), request.body), surroundings)
  })

  api.delete<Asked>(`${path}/:eventId`, async (request, reply) => {
    await get(request, [WRITE_SCOPE])
    await deleteEvent(world, placeOf(request))
    return reply.code(204).send()
  })

  api.post<Asked>(`${path}/watch`, async (request) => {
    const { calendar } = await get(request, EVENT_SCOPES)
    return createChannel(world, calendar.id, request.body)
  })
}

function toListEntry(calendar: SandboxCalendar): calendar_v3.Schema$CalendarListEntry {
  const { id, summary, color, timeZone, accessRole, isPrimary } = calendar
  return {
    kind: 'calendar#calendarListEntry',
    etag: '"1"',
    id,
    summary,
    timeZone,
    colorId: '1',
    backgroundColor: color,
    foregroundColor: '#000000',
    selected: true,
    accessRole,
    defaultReminders: [{ method: 'popup', minutes: 30 }],
    conferenceProperties: { allowedConferenceSolutionTypes: ['hangoutsMeet'] },
    ...(isPrimary ? { primary: true } : {}),
  }
}

/** @throws GoogleErrorResponse */
function requireScope(
  world: CalendarSandboxContext,
  request: FastifyRequest,
  scopes: readonly string[],
): TokenHolder {
  const holder = getTokenHolder(world, request)
  if (!scopes.some((scope) => isScopeGranted(holder.scopes, scope))) throw missingScopeError()
  return holder
}
