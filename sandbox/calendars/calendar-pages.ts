import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { isDate, localDateOf } from '#core/shared/zoned-time.ts'
import { html } from '#sandbox/kit/html.ts'
import { findSandboxObject, listSandboxObjects, saveSandboxObject } from '#sandbox/kit/sandbox-objects.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { accountKey } from './account.ts'
import type { SandboxCalendar } from './calendar.ts'
import {
  addEventForm,
  calendarForm,
  eventForm,
  faultSwitchForm,
  mondayOf,
  toMovedEvent,
  toNewEvents,
} from './calendar-forms.ts'
import { changeEvents, findEvent } from './change-events.ts'
import { listAllEvents } from './list-events.ts'
import { ensureAccount, listCalendarsOf } from './people.ts'
import { sendCalendarPage } from './send-calendar-page.ts'
import { sendProviderPage } from './send-provider-page.ts'
import { accountsOf, type CalendarSandboxContext, calendarKey, calendarsOf, findCalendar } from './world.ts'

type Shown = {
  Params: { email: string; calendarId: string; eventId: string }
  Querystring: { calendar?: string; week?: string }
}

/** Registers the pages to change a calendar's events and to switch on failures. They work without JavaScript. */
export function registerCalendarPages(app: FastifyInstance, world: CalendarSandboxContext): void {
  app.get('/calendar', async (_request, reply) => {
    const accounts = await listSandboxObjects(world.db, accountsOf(world.provider))
    const [only] = accounts
    if (only !== undefined && accounts.length === 1) return reply.redirect(pageOf(only.email), 303)
    return sendAccounts(
      world,
      reply,
      accounts.map(({ email }) => email),
    )
  })

  app.post('/calendar', async (request, reply) => {
    const asked = z.object({ email: z.email().max(254).toLowerCase() }).safeParse(request.body)
    if (!asked.success) return sendAccounts(world, reply.code(400), [])
    await ensureAccount(world, asked.data.email)
    return reply.redirect(pageOf(asked.data.email), 303)
  })

  app.get<Shown>('/calendar/:email', async (request, reply) => showCalendar(world, request, reply))

  app.post<Shown>('/calendar/:email/faults', async ({ params, body, query }, reply) => {
    const asked = faultSwitchForm.safeParse(body)
    if (asked.success) await switchFaults(world, params.email, asked.data)
    return reply.redirect(pageOf(params.email, query), 303)
  })

  app.post<Shown>('/calendar/:email/end-tokens', async ({ params, query }, reply) => {
    world.endAccessTokens(params.email)
    return reply.redirect(pageOf(params.email, query), 303)
  })

  app.post<Shown>('/calendar/:email/:calendarId', async (request, reply) => {
    const { params, body, query } = request
    const asked = calendarForm.safeParse(body)
    if (!asked.success) return showCalendar(world, request, reply, 'There is no such time zone.')
    const form = asked.data
    if (form.action === 'zone') await changeZone(world, params.calendarId, form.time_zone)
    else if (form.action === 'empty') await cancelEvents(world, params.calendarId, () => true)
    else await deleteCalendar(world, params.calendarId)
    return reply.redirect(pageOf(params.email, query), 303)
  })

  app.post<Shown>('/calendar/:email/:calendarId/events', async (request, reply) => {
    const { params, query, body } = request
    const asked = addEventForm.safeParse(body)
    if (!asked.success) return showCalendar(world, request, reply, 'Please give a start and an end.')
    await changeEvents(world, params.calendarId, async ({ timeZone }) =>
      toNewEvents(asked.data, { timeZone, ownProperty: world.words.ownProperty }),
    )
    const week = mondayOf(asked.data.start.slice(0, 10))
    return reply.redirect(pageOf(params.email, { ...query, week }), 303)
  })

  app.post<Shown>('/calendar/:email/:calendarId/events/:eventId', async (request, reply) => {
    const { params, query, body } = request
    const asked = eventForm.safeParse(body)
    if (!asked.success) return showCalendar(world, request, reply, 'Please give a start and an end.')
    const form = asked.data
    if (form.action === 'move') {
      await changeEvents(world, params.calendarId, async ({ timeZone }, trx) => {
        const event = await findEvent(world, trx, params.calendarId, params.eventId)
        return event === null || event.isCancelled ? [] : [toMovedEvent(event, form, timeZone)]
      })
    } else if (form.action === 'delete') {
      await cancelEvents(world, params.calendarId, ({ id }) => id === params.eventId)
    } else {
      await deleteSeries(world, params)
    }
    return reply.redirect(pageOf(params.email, query), 303)
  })
}

async function showCalendar(
  world: CalendarSandboxContext,
  { params, query }: Pick<FastifyRequest<Shown>, 'params' | 'query'>,
  reply: FastifyReply,
  alert?: string,
): Promise<FastifyReply> {
  const account = await findSandboxObject(world.db, accountsOf(world.provider), accountKey(params.email))
  const calendars = await listCalendarsOf(world, params.email)
  const [main] = calendars
  const calendar = calendars.find(({ id }) => id === (query.calendar ?? params.calendarId)) ?? main
  if (account === null || calendar === undefined) return sendAccounts(world, reply.code(404), [])
  const kept = await listAllEvents(world, world.db, calendar.id)
  const today = localDateOf(world.now(), calendar.timeZone)
  const { week = today } = query
  return sendCalendarPage(alert === undefined ? reply : reply.code(400), {
    account,
    calendars,
    calendar,
    events: kept.filter(({ isCancelled }) => !isCancelled),
    monday: mondayOf(isDate(week) ? week : today),
    nowMs: world.now(),
    words: world.words,
    alert,
  })
}

async function switchFaults(
  world: CalendarSandboxContext,
  email: string,
  form: z.infer<typeof faultSwitchForm>,
): Promise<void> {
  await inTransaction(world.db, async (trx) => {
    const account = await findSandboxObject(trx, accountsOf(world.provider), accountKey(email), {
      lock: true,
    })
    if (account === null) return
    const faults = {
      isRevoked: form.revoked,
      losesCursors: form.loses_cursors,
      isFailing: form.failing,
      hasSmallPages: form.small_pages,
      rateLimit: form.rate_limit,
      delaySeconds: form.delay_seconds,
    }
    await saveSandboxObject(trx, accountsOf(world.provider), accountKey(email), { ...account, faults })
  })
}

async function cancelEvents(
  world: CalendarSandboxContext,
  calendarId: string,
  isMeant: (event: { readonly id: string; readonly series: { readonly id: string } | null }) => boolean,
): Promise<void> {
  await changeEvents(world, calendarId, async (_calendar, trx) => {
    const events = await listAllEvents(world, trx, calendarId)
    return events
      .filter((event) => !event.isCancelled && isMeant(event))
      .map((event) => ({ ...event, isCancelled: true }))
  })
}

async function deleteSeries(
  world: CalendarSandboxContext,
  { calendarId, eventId }: { readonly calendarId: string; readonly eventId: string },
): Promise<void> {
  const seriesId = eventId.replace(/_.*$/, '')
  await cancelEvents(world, calendarId, ({ id, series }) => id === eventId || series?.id === seriesId)
}

/** Deletes a calendar unless it is the account's main calendar. */
async function deleteCalendar(world: CalendarSandboxContext, calendarId: string): Promise<void> {
  const calendar = await findCalendar(world, world.db, calendarId)
  if (calendar === null || calendar.isPrimary) return
  await saveCalendar(world, { ...calendar, isDeleted: true })
  await world.notify(calendarId, 'not_exists')
}

async function changeZone(
  world: CalendarSandboxContext,
  calendarId: string,
  timeZone: string,
): Promise<void> {
  const calendar = await findCalendar(world, world.db, calendarId)
  if (calendar === null) throw world.faults.notFound()
  await saveCalendar(world, { ...calendar, timeZone })
}

function saveCalendar(world: CalendarSandboxContext, calendar: SandboxCalendar): Promise<void> {
  return saveSandboxObject(world.db, calendarsOf(world.provider), calendarKey(calendar.id), calendar)
}

function pageOf(email: string, query: Readonly<Record<string, string | undefined>> = {}): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const search = new URLSearchParams(given).toString()
  return `/calendar/${encodeURIComponent(email)}${search === '' ? '' : `?${search}`}`
}

function sendAccounts(
  { words }: Pick<CalendarSandboxContext, 'words'>,
  reply: FastifyReply,
  emails: readonly string[],
): FastifyReply {
  const links = emails.map((email) => html`<p><a href="${pageOf(email)}">${email}</a></p>`)
  const body = html`${links}
<form class="card" method="post" action="/calendar">
<label for="email">Email address of a new ${words.provider} account</label>
<input id="email" name="email" type="email" value="${words.exampleEmail}" maxlength="254" autocomplete="off" required>
<div class="actions"><button class="main">Open its calendar</button></div>
</form>`
  return sendProviderPage(reply, { words, title: words.title, body })
}
