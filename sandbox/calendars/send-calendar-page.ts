import type { FastifyReply } from 'fastify'
import { DAY_MS, HOUR_MS } from '#core/shared/duration.ts'
import { overlaps } from '#core/shared/interval.ts'
import { addDays, toEpochMs } from '#core/shared/zoned-time.ts'
import { type Html, html } from '#sandbox/kit/html.ts'
import { formatDate } from '#server/platform/format-date.ts'
import type { SandboxAccount } from './account.ts'
import type { SandboxCalendar } from './calendar.ts'
import { formatLocalClock, toFormTimes } from './calendar-forms.ts'
import { epochMsOf, type SandboxEvent } from './event.ts'
import { sendProviderPage } from './send-provider-page.ts'
import type { CalendarPageTexts } from './world.ts'

type CalendarPage = {
  readonly account: SandboxAccount
  readonly calendars: readonly SandboxCalendar[]
  /** The displayed calendar. */
  readonly calendar: SandboxCalendar
  readonly events: readonly SandboxEvent[]
  /** The Monday of the displayed week, yyyy-MM-dd. */
  readonly monday: string
  readonly nowMs: number
  readonly words: CalendarPageTexts
  readonly alert: string | undefined
}

/** Sends a page with one week of a calendar and the forms to change it. */
export function sendCalendarPage(reply: FastifyReply, page: CalendarPage): FastifyReply {
  const { words, alert } = page
  const body = html`<p class="soft">${page.account.email}</p>
${toCalendarLinks(page)}
${toWeek(page)}
${toAddForm(page)}
${toFaultForm(page)}
${toCalendarForm(page)}`
  return sendProviderPage(reply, { words, title: words.title, alert, body })
}

function addressOf({ account, calendar, monday }: CalendarPage, path = '', week = monday): string {
  const search = new URLSearchParams({ calendar: calendar.id, week })
  return `/calendar/${encodeURIComponent(account.email)}${path}?${search}`
}

function toCalendarLinks(page: CalendarPage): Html {
  const links = page.calendars.map((calendar) =>
    calendar.id === page.calendar.id
      ? html`<a class="button" aria-current="page" href="${addressOf({ ...page, calendar })}">${calendar.summary}</a>`
      : html`<a class="button" href="${addressOf({ ...page, calendar })}">${calendar.summary}</a>`,
  )
  return html`<nav class="actions" aria-label="Calendars">${links}</nav>`
}

function toWeek(page: CalendarPage): Html {
  const { calendar, monday, events } = page
  const week = {
    startMs: toEpochMs(monday, 0, calendar.timeZone),
    endMs: toEpochMs(addDays(monday, 7), 0, calendar.timeZone),
  }
  const startOf = ({ start }: SandboxEvent) => epochMsOf(start, calendar.timeZone)
  const shown = events
    .filter((event) => {
      const startMs = startOf(event)
      const endMs = Math.max(startMs + 1, epochMsOf(event.end, calendar.timeZone))
      return overlaps({ startMs, endMs }, week)
    })
    .sort((a, b) => startOf(a) - startOf(b))
  return html`<h2>Week of ${formatDate(monday)}</h2>
<nav class="actions" aria-label="Weeks">
<a class="button" href="${addressOf(page, '', addDays(monday, -7))}">Earlier week</a>
<a class="button" href="${addressOf(page, '', addDays(monday, 7))}">Later week</a>
</nav>
<p class="soft">Times in ${calendar.timeZone}</p>
${shown.length === 0 ? html`<p>No events in this week.</p>` : shown.map((event) => toEventCard(page, event))}`
}

function toEventCard(page: CalendarPage, event: SandboxEvent): Html {
  const { calendar } = page
  const { start, end, all_day } = toFormTimes(event, calendar.timeZone)
  const action = addressOf(page, `/${encodeURIComponent(calendar.id)}/events/${encodeURIComponent(event.id)}`)
  const type = all_day === undefined ? 'datetime-local' : 'date'
  const title = event.summary === '' ? '(No title)' : event.summary
  return html`<section class="card">
<h3>${title}</h3>
<p>${describeTime({ start, end, isAllDay: all_day === 'on' })}<br><span class="soft">${describeKind(event, page.words)}</span></p>
${event.description === '' ? '' : html`<p class="soft">${event.description}</p>`}
<details><summary>Move or delete</summary>
<form method="post" action="${action}">
${all_day === undefined ? '' : html`<input type="hidden" name="all_day" value="on">`}
<label>Starts <input type="${type}" name="start" value="${start}" required></label>
<label>Ends <input type="${type}" name="end" value="${end}" required></label>
<div class="actions">
<button class="main" name="action" value="move">Move</button>
<button name="action" value="delete">Delete</button>
${event.series === null ? '' : html`<button name="action" value="delete_series">Delete the series</button>`}
</div>
</form>
</details>
</section>`
}

function toAddForm(page: CalendarPage): Html {
  const { calendar, monday, nowMs } = page
  const weekMs = toEpochMs(monday, 9 * 3_600, calendar.timeZone)
  const isThisWeek = nowMs >= weekMs && nowMs < weekMs + 7 * DAY_MS
  const kinds = Object.entries(page.words.kinds).map(
    ([value, sentence]) => html`<option value="${value}">${sentence}</option>`,
  )
  const startMs = isThisWeek ? Math.ceil(nowMs / HOUR_MS) * HOUR_MS : weekMs
  return html`<form class="card" method="post" action="${addressOf(page, `/${encodeURIComponent(calendar.id)}/events`)}">
<h2>Add an event</h2>
<label>Title <input name="title" maxlength="200" autocomplete="off"></label>
<label>Starts <input type="datetime-local" name="start" value="${formatLocalClock(startMs, calendar.timeZone)}" required></label>
<label>Ends <input type="datetime-local" name="end" value="${formatLocalClock(startMs + HOUR_MS, calendar.timeZone)}" required></label>
<label class="box"><input type="checkbox" name="all_day"> All day, the last one included</label>
<details><summary>More</summary>
<label>Shows as <select name="shows_as"><option value="busy">Busy</option><option value="free">Free</option></select></label>
<label>Kind <select name="kind">${kinds}</select></label>
<label>Invitation <select name="answer"><option value="none">My own event</option><option value="accepted">Accepted</option>
<option value="tentative">Maybe</option><option value="declined">Declined</option><option value="needsAction">Not answered</option></select></label>
<label>Id that its organizer chose <input name="id" maxlength="1024" autocomplete="off"></label>
<label>Says that it is of the appointment <input name="own_property" maxlength="1024" autocomplete="off"></label>
<label>Repeats <select name="repeats"><option value="never">Never</option><option value="daily">Every day</option><option value="weekly">Every week</option></select></label>
<label>How many times <input type="number" name="times" value="4" min="1" max="100"></label>
</details>
<div class="actions"><button class="main">Add</button></div>
</form>`
}

function toFaultForm(page: CalendarPage): Html {
  const { account, words } = page
  const { faults } = account
  const box = (name: string, isOn: boolean, sentence: string) =>
    html`<label class="box"><input type="checkbox" name="${name}"${isOn ? { html: ' checked' } : ''}> ${sentence}</label>`
  const limits = Object.entries(words.rateLimits).map(
    ([value, sentence]) =>
      html`<option value="${value}"${value === faults.rateLimit ? { html: ' selected' } : ''}>${sentence}</option>`,
  )
  return html`<section class="card">
<h2>What goes wrong</h2>
<form method="post" action="${addressOf(page, '/faults')}">
${box('revoked', faults.isRevoked, 'The access was withdrawn')}
${box('loses_cursors', faults.losesCursors, words.lostCursors)}
${box('failing', faults.isFailing, `${words.provider} fails (500)`)}
${box('small_pages', faults.hasSmallPages, 'Ten events on a page')}
<label>Too many requests <select name="rate_limit">${limits}</select></label>
<label>Seconds before each answer <input type="number" name="delay_seconds" value="${faults.delaySeconds}" min="0" max="60"></label>
<div class="actions"><button class="main">Switch</button></div>
</form>
<form class="actions" method="post" action="${addressOf(page, '/end-tokens')}"><button>End the access tokens</button></form>
</section>`
}

function toCalendarForm(page: CalendarPage): Html {
  const { calendar } = page
  return html`<section class="card">
<h2>This calendar</h2>
<form method="post" action="${addressOf(page, `/${encodeURIComponent(calendar.id)}`)}">
<label>Time zone <input name="time_zone" value="${calendar.timeZone}" maxlength="64" autocomplete="off" required></label>
<div class="actions">
<button class="main" name="action" value="zone">Save</button>
<button name="action" value="empty" formnovalidate>Delete all events</button>
${calendar.isPrimary ? '' : html`<button name="action" value="delete" formnovalidate>Delete the calendar</button>`}
</div>
</form>
</section>`
}

function describeTime({ start, end, isAllDay }: { start: string; end: string; isAllDay: boolean }): string {
  const [startDate, startClock] = [start.slice(0, 10), start.slice(11)]
  const [endDate, endClock] = [end.slice(0, 10), end.slice(11)]
  if (isAllDay) {
    return startDate === endDate
      ? `${formatDate(startDate)}, all day`
      : `${formatDate(startDate)} to ${formatDate(endDate)}, all day`
  }
  return startDate === endDate
    ? `${formatDate(startDate)}, ${startClock} to ${endClock}`
    : `${formatDate(startDate)}, ${startClock} to ${formatDate(endDate)}, ${endClock}`
}

const ANSWERED = {
  accepted: 'invitation accepted',
  tentative: 'invitation answered with maybe',
  declined: 'invitation declined',
  needsAction: 'invitation not answered',
} as const satisfies Record<NonNullable<SandboxEvent['answer']>, string>

function describeKind(
  { eventType, isFree, answer, series }: SandboxEvent,
  { kinds }: CalendarPageTexts,
): string {
  return [
    kinds[eventType] ?? 'Event',
    isFree ? 'free' : 'busy',
    ...(answer === null ? [] : [ANSWERED[answer]]),
    ...(series === null ? [] : ['of a series']),
  ].join(', ')
}
