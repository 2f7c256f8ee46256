import type { Calendar, User } from '@microsoft/microsoft-graph-types'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { SandboxCalendar } from '#sandbox/calendars/calendar.ts'
import {
  faultsOf,
  getCalendar,
  getTokenHolder,
  registerCalendarApi,
} from '#sandbox/calendars/calendar-api.ts'
import { listAllEvents } from '#sandbox/calendars/list-events.ts'
import { listCalendarsOf } from '#sandbox/calendars/people.ts'
import type { CalendarSandboxContext, TokenHolder } from '#sandbox/calendars/world.ts'
import { originOfRequest } from '#sandbox/kit/sandbox-server.ts'
import {
  canReadCalendars,
  isScopeGranted,
  READ_SCOPE,
  TIME_ZONE_SCOPE,
  WRITE_SCOPE,
} from '#server/integrations/microsoft/microsoft-scopes.ts'
import {
  type GraphEventResource,
  toEventResource,
  toSeriesMasterResource,
  toWindowsZoneName,
} from './event-resource.ts'
import { accessDeniedError, invalidRequestError, notFoundError } from './graph-fault.ts'
import { createSubscription, deleteSubscription } from './subscriptions.ts'
import {
  type CalendarViewRequest,
  listInstances,
  respondWithCalendarView,
  respondWithDelta,
} from './view-events.ts'
import { userIdOf } from './world.ts'
import { deleteEvent, insertEvent, patchEvent } from './write-event.ts'

type Asked = { Params: { calendarId: string; eventId: string }; Querystring: Record<string, string> }

const CONTEXT = 'https://graph.microsoft.com/v1.0/$metadata'

/** Registers the part of Graph that Meridian uses. */
export function registerGraphApi(app: FastifyInstance, world: CalendarSandboxContext): void {
  registerCalendarApi(app, world, {
    prefix: '/v1.0',
    register: (api) => {
      registerAccount(api, world)
      registerViews(api, world)
      registerEvents(api, world)
      api.post('/subscriptions', async (request, reply) => {
        const { email } = requireScope(world, request, READ_SCOPE)
        return reply.code(201).send(await createSubscription(world, { email, body: request.body }))
      })
      api.delete<{ Params: { id: string } }>('/subscriptions/:id', async (request, reply) => {
        const { email } = requireScope(world, request, READ_SCOPE)
        await deleteSubscription(world, email, request.params.id)
        return reply.code(204).send()
      })
    },
  })
}

function registerAccount(api: FastifyInstance, world: CalendarSandboxContext): void {
  api.get('/me', async (request): Promise<User & { '@odata.context': string }> => {
    const { email } = requireScope(world, request, 'User.Read')
    const displayName = email.split('@')[0] ?? email
    return {
      '@odata.context': `${CONTEXT}#users/$entity`,
      id: userIdOf(email),
      displayName,
      givenName: displayName,
      mail: email,
      userPrincipalName: email,
      businessPhones: [],
    }
  })

  api.get('/me/mailboxSettings/timeZone', async (request) => {
    const { email } = requireScope(world, request, TIME_ZONE_SCOPE)
    const [main] = await listCalendarsOf(world, email)
    return {
      '@odata.context': `${CONTEXT}#mailboxSettings/timeZone`,
      value: toWindowsZoneName(main?.timeZone ?? 'UTC'),
    }
  })

  api.get('/me/calendars', async (request) => {
    const { email } = requireReading(world, request)
    const calendars = await listCalendarsOf(world, email)
    return { '@odata.context': `${CONTEXT}#me/calendars`, value: calendars.map(toCalendar) }
  })

  api.get<Asked>('/me/calendars/:calendarId', async (request) => {
    const { email } = requireReading(world, request)
    return toCalendar(await getCalendar(world, email, request.params.calendarId))
  })
}

function registerViews(api: FastifyInstance, world: CalendarSandboxContext): void {
  const path = '/me/calendars/:calendarId'
  const toView = async (request: FastifyRequest<Asked>): Promise<CalendarViewRequest> => {
    const { email } = requireReading(world, request)
    const [, size] = /odata[.]maxpagesize=(\d+)/.exec(String(request.headers.prefer ?? '')) ?? []
    return {
      query: request.query,
      url: `${originOfRequest(request)}${request.url.replace(/\?.*$/, '')}`,
      pageSize: size === undefined ? null : Number(size),
      calendar: await getCalendar(world, email, request.params.calendarId),
      faults: await faultsOf(world, email),
    }
  }
  const shown = <Page extends { readonly value: readonly GraphEventResource[] }>(
    page: Page,
    { query }: FastifyRequest<Asked>,
  ) => ({ ...page, value: page.value.map((event) => select(event, query)) })

  api.get<Asked>(`${path}/calendarView`, async (request) =>
    shown(await respondWithCalendarView(world, await toView(request)), request),
  )
  api.get<Asked>(`${path}/calendarView/delta`, async (request) =>
    respondWithDelta(world, await toView(request)),
  )
  api.get<Asked>(`${path}/events/:eventId/instances`, async (request) =>
    shown(await listInstances(world, await toView(request), request.params.eventId), request),
  )
}

function registerEvents(api: FastifyInstance, world: CalendarSandboxContext): void {
  const path = '/me/calendars/:calendarId/events'
  const placeOf = ({ params, headers }: FastifyRequest<Asked>) => ({ ...params, etag: headers['if-match'] })

  api.get<Asked>(path, async (request) => {
    const { email } = requireReading(world, request)
    const calendar = await getCalendar(world, email, request.params.calendarId)
    const [, id = '', value] =
      /^singleValueExtendedProperties\/Any\(ep: ep\/id eq '([^']+)' and ep\/value eq '([^']+)'\)$/.exec(
        request.query.$filter ?? '',
      ) ?? []
    if (value === undefined)
      throw invalidRequestError('The stand-in finds events by an extended property only.')
    const found = (await listAllEvents(world, world.db, calendar.id)).filter(
      ({ isCancelled, privateProperties }) => !isCancelled && privateProperties[id] === value,
    )
    return {
      '@odata.context': `${CONTEXT}#me/calendars/events`,
      value: found.map((event) => select(toEventResource(event, calendar), request.query)),
    }
  })

  api.get<Asked>(`${path}/:eventId`, async (request) => {
    const { email } = requireReading(world, request)
    const calendar = await getCalendar(world, email, request.params.calendarId)
    const live = (await listAllEvents(world, world.db, calendar.id)).filter(({ isCancelled }) => !isCancelled)
    const event = live.find(({ id }) => id === request.params.eventId)
    const parts = live.filter(({ series }) => series?.id === request.params.eventId)
    if (event === undefined && parts.length === 0) throw notFoundError()
    return select(
      event === undefined ? toSeriesMasterResource(parts, calendar) : toEventResource(event, calendar),
      request.query,
    )
  })

  api.post<Asked>(path, async (request, reply) => {
    const calendar = await getWritable(world, request)
    const event = await insertEvent(world, calendar.id, request.body)
    return reply.code(201).send(select(toEventResource(event, calendar), {}))
  })

  api.patch<Asked>(`${path}/:eventId`, async (request) => {
    const calendar = await getWritable(world, request)
    return select(toEventResource(await patchEvent(world, placeOf(request), request.body), calendar), {})
  })

  api.delete<Asked>(`${path}/:eventId`, async (request, reply) => {
    await getWritable(world, request)
    await deleteEvent(world, placeOf(request))
    return reply.code(204).send()
  })
}

/** Selects the requested fields. Extended properties are included only when the request expands them. */
function select(
  event: GraphEventResource,
  query: Readonly<Record<string, string>>,
): Partial<GraphEventResource> {
  const { singleValueExtendedProperties: properties = [], ...plain } = event
  const wanted = query.$select?.split(',')
  const chosen = Object.entries(plain).filter(
    ([name]) => wanted === undefined || name === 'id' || name.startsWith('@') || wanted.includes(name),
  )
  const isExpanded = query.$expand?.startsWith('singleValueExtendedProperties') === true
  return {
    ...Object.fromEntries(chosen),
    ...(isExpanded && properties.length > 0 ? { singleValueExtendedProperties: properties } : {}),
  }
}

function toCalendar(calendar: SandboxCalendar): Calendar {
  const { id, summary, color, accessRole, isPrimary, email } = calendar
  const isOwn = accessRole === 'owner'
  return {
    id,
    name: summary,
    color: 'auto',
    hexColor: color,
    isDefaultCalendar: isPrimary,
    changeKey: Buffer.from(id).toString('base64').slice(0, 24),
    canShare: isOwn,
    canViewPrivateItems: isOwn,
    canEdit: isOwn,
    isTallyingResponses: isPrimary,
    isRemovable: !isPrimary,
    owner: isOwn ? { name: email, address: email } : { name: 'Team', address: 'team@invitations.example' },
  }
}

async function getWritable(
  world: CalendarSandboxContext,
  request: FastifyRequest<Asked>,
): Promise<SandboxCalendar> {
  const { email } = requireScope(world, request, WRITE_SCOPE)
  return getCalendar(world, email, request.params.calendarId)
}

/** @throws GraphErrorResponse */
function requireScope(world: CalendarSandboxContext, request: FastifyRequest, scope: string): TokenHolder {
  const holder = getTokenHolder(world, request)
  if (!isScopeGranted(holder.scopes, scope)) throw accessDeniedError()
  return holder
}

/** @throws GraphErrorResponse */
function requireReading(world: CalendarSandboxContext, request: FastifyRequest): TokenHolder {
  const holder = getTokenHolder(world, request)
  if (!canReadCalendars(holder.scopes)) throw accessDeniedError()
  return holder
}
