import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type {
  AgendaResponse,
  AppointmentFilter,
  AppointmentRow,
  AppointmentsResponse,
  OwnerDayResponse,
  UndeliveredMessagesResponse,
  UpcomingAppointmentsResponse,
} from '#contract/appointments/appointments.ts'
import type { AppointmentAnswers } from '#contract/appointments/questions.ts'
import { DEFAULT_TIME_ZONE, LIMITS } from '#contract/shared/limits.ts'
import { listAgendaDays } from '#core/appointments/agenda-days.ts'
import { DEFAULT_HOUR_CYCLE, type HourCycle } from '#core/shared/hour-cycle.ts'
import type { Interval } from '#core/shared/interval.ts'
import { localDateOf, toEpochMs } from '#core/shared/zoned-time.ts'
import type { DayRange } from '#core/slots/displayed-days.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import type { SecretBox } from '#server/platform/secrets/secret-box.ts'
import { listCalendarClocks } from '#server/records/calendars/repository.ts'
import { type CalendarsDeps, getOwnCalendar } from '#server/records/calendars/use-cases.ts'
import { listAnswersOfAppointments } from '#server/records/questions/use-cases.ts'
import { getOpeningHours } from '#server/records/slots/use-cases.ts'
import { findAppointmentPage, listInChunks } from './find-appointment-page.ts'
import type { AppointmentListScope } from './list-repository.ts'
import {
  listAppointmentsByIds,
  listAppointmentsDuring,
  listAppointmentsFromToday,
  listCancellationRequests,
  listNextAppointments,
  listWithUndeliveredMessages,
} from './repository.ts'
import type { AppointmentKey } from './state-repository.ts'
import { toAppointmentRow } from './to-appointment-row.ts'
import { toCsvHeader, toCsvRow } from './to-csv-row.ts'

export type AppointmentsDeps = Pick<CalendarsDeps, 'db' | 'now' | 'baseUrl'>
export type AnswersDeps = AppointmentsDeps & { readonly secrets: Pick<SecretBox, 'open'> }

/** One calendar, or all calendars of the owner. The time zone is that of the list over all of them. Source: rule V13. */
export type CalendarChoice =
  | { readonly calendarId: string }
  | { readonly calendarId?: undefined; readonly time_zone?: string | undefined }

type ListInput = CalendarChoice & { readonly filter: AppointmentFilter; readonly search: string }

/**
 * Number of appointments per chunk of an export. Between two chunks, other requests can use the database connection.
 */
const EXPORT_CHUNK = 500

/**
 * Returns one page of the appointments with the exact total. Upcoming appointments start today or later, in the
 * calendar's zone or the list's zone; past ones started before today. Source: rules V1 and V13.
 * @throws ProblemError `calendar.not_found`, `calendar.forbidden`
 */
export async function listAppointments(
  deps: AppointmentsDeps,
  ownerId: OwnerId,
  input: ListInput & { readonly page: number },
): Promise<AppointmentsResponse> {
  const { scope } = await getChosenCalendars(deps, ownerId, input)
  const { total, ids } = await findAppointmentPage(deps.db, scope, { ...input, size: LIMITS.pageSize })
  const appointments = await listAppointmentsByIds(deps.db, scope, ids)
  return {
    appointments: appointments.map(toAppointmentRow),
    total,
    page: input.page,
    page_size: LIMITS.pageSize,
  }
}

/**
 * Returns one appointment, on whichever page of the list it is.
 * @throws ProblemError `calendar.not_found`, `calendar.forbidden`, `appointment.not_found`
 */
export async function getAppointment(
  deps: AppointmentsDeps,
  ownerId: OwnerId,
  key: { readonly calendarId?: string; readonly id: string },
): Promise<AppointmentRow> {
  const { scope } = await getChosenCalendars(deps, ownerId, key)
  const [appointment] = await listAppointmentsByIds(deps.db, scope, [key.id])
  if (appointment === undefined) throw new ProblemError('appointment.not_found')
  return toAppointmentRow(appointment)
}

/**
 * Returns the answers of an appointment's customer, private ones too. Source: rule B36.
 * @throws ProblemError `calendar.not_found`, `calendar.forbidden`, `appointment.not_found`
 */
export async function getAppointmentAnswers(
  deps: AnswersDeps,
  ownerId: OwnerId,
  key: AppointmentKey,
): Promise<AppointmentAnswers> {
  const { id } = await getAppointment(deps, ownerId, key)
  const answers = await listAnswersOfAppointments(deps, { calendarIds: [key.calendarId], ids: [id] })
  return { answers: [...(answers.get(id) ?? [])] }
}

/**
 * Exports the whole list as a CSV file, which is streamed while it is built. `name` is the file name. Source: rule V9.
 * @throws ProblemError `calendar.not_found`, `calendar.forbidden`
 */
export async function exportAppointments(
  deps: AnswersDeps,
  ownerId: OwnerId,
  input: ListInput,
): Promise<{ name: string; content: Readable }> {
  const { scope, timeZone, name } = await getChosenCalendars(deps, ownerId, input)
  const today = localDateOf(deps.now(), timeZone)
  const hasSeveral = input.calendarId === undefined
  const chunks = listInChunks(deps.db, scope, { ...input, size: EXPORT_CHUNK })
  // Read the first chunk before responding: a failure here still produces an error response, but a later failure would
  // break off the download.
  const first = await chunks.next()
  async function* lines() {
    yield toCsvHeader(hasSeveral)
    for (let chunk = first; chunk.done !== true; chunk = await chunks.next()) {
      const rows = await listAppointmentsByIds(deps.db, scope, chunk.value)
      const answers = await listAnswersOfAppointments(deps, {
        calendarIds: scope.calendarIds,
        ids: chunk.value,
      })
      yield rows.map((row) => toCsvRow(row, { answers: answers.get(row.id) ?? [], hasSeveral })).join('')
      // Give other requests a turn: the embedded database resolves at once, so the export would otherwise never yield.
      await setImmediate()
    }
  }
  return { name: `appointments-${name}-${today}.csv`, content: Readable.from(lines()) }
}

/**
 * Returns consecutive days with their opening hours and all appointments that overlap them, in the calendar's current
 * zone or the list's zone. Source: rules V7 and V13.
 * @throws ProblemError `calendar.not_found`, `calendar.forbidden`
 */
export async function getAgenda(
  deps: AppointmentsDeps,
  ownerId: OwnerId,
  input: CalendarChoice & { readonly days: DayRange; readonly limit?: number },
): Promise<AgendaResponse> {
  const limit = input.limit ?? LIMITS.agendaAppointments
  const { scope, timeZone, hourCycle, calendars } = await getChosenCalendars(deps, ownerId, input)
  const hours = await getOpeningHours(deps, calendars, input.days)
  const days = listAgendaDays(input.days, timeZone, hours)
  const found = await listAppointmentsDuring(deps.db, scope, {
    during: { startMs: days[0]?.startMs ?? 0, endMs: days.at(-1)?.endMs ?? 0 },
    limit: limit + 1,
  })
  const shown = found.slice(0, limit).sort((a, b) => a.starts_at.getTime() - b.starts_at.getTime())
  return {
    time_zone: timeZone,
    hour_cycle: hourCycle,
    days: days.map((day) => ({
      date: day.date,
      ...toStretch(day),
      noon_at: new Date(day.noonMs).toISOString(),
      openings: day.openings.map(toStretch),
    })),
    appointments: shown.map(toAppointmentRow),
    is_complete: found.length <= limit,
  }
}

export type ChosenCalendars = {
  readonly calendars: readonly { readonly id: string; readonly timezone: string }[]
  /** The time zone whose date is today. */
  readonly timeZone: string
  /** The clock of the calendar; over all calendars, that of the newest. */
  readonly hourCycle: HourCycle
  readonly scope: AppointmentListScope
  /** For the name of a file. */
  readonly name: string
}

/** Loads the calendar, or all calendars of the owner. @throws ProblemError `calendar.not_found`, `calendar.forbidden` */
export async function getChosenCalendars(
  deps: AppointmentsDeps,
  ownerId: OwnerId,
  choice: CalendarChoice,
): Promise<ChosenCalendars> {
  const calendars =
    choice.calendarId === undefined
      ? await listCalendarClocks(deps.db, ownerId)
      : [await getOwnCalendar(deps, ownerId, choice.calendarId)]
  const newest = calendars[0]
  const zoneOfNewest = newest?.timezone ?? DEFAULT_TIME_ZONE
  const timeZone = (choice.calendarId === undefined ? choice.time_zone : undefined) ?? zoneOfNewest
  const todayStartsAt = new Date(toEpochMs(localDateOf(deps.now(), timeZone), 0, timeZone))
  const calendarIds = calendars.map(({ id }) => id)
  return {
    calendars,
    timeZone,
    hourCycle: newest?.hour_cycle ?? DEFAULT_HOUR_CYCLE,
    scope: { ownerId, calendarIds, todayStartsAt, phoneTimeZone: zoneOfNewest },
    name: choice.calendarId === undefined ? 'all-calendars' : (newest?.slug ?? ''),
  }
}

function toStretch({ startMs, endMs }: Interval): { starts_at: string; ends_at: string } {
  return { starts_at: new Date(startMs).toISOString(), ends_at: new Date(endMs).toISOString() }
}

/**
 * Maximum number of listed messages. With more failures than this, the owner needs a mail administrator and not a list.
 */
const SHOWN_UNDELIVERED = 50

/**
 * Lists messages to customers or the owner that could not be delivered, about appointments that are not over. Source:
 * rule M9.
 * @throws ProblemError `calendar.not_found`, `calendar.forbidden`
 */
export async function listUndeliveredMessages(
  deps: AppointmentsDeps,
  ownerId: OwnerId,
  choice: CalendarChoice,
): Promise<UndeliveredMessagesResponse> {
  const { scope } = await getChosenCalendars(deps, ownerId, choice)
  const { messages, appointments } = await listWithUndeliveredMessages(deps.db, scope, {
    now: new Date(deps.now()),
    limit: SHOWN_UNDELIVERED,
  })
  return { messages, appointments: appointments.map(toAppointmentRow) }
}

/** Lists the next appointments on all of the owner's calendars, for the dashboard. Source: rule V10. */
export async function listUpcomingAppointments(
  deps: AppointmentsDeps,
  ownerId: OwnerId,
): Promise<UpcomingAppointmentsResponse> {
  const query = { now: new Date(deps.now()), limit: LIMITS.pageSize }
  const { total, appointments } = await listNextAppointments(deps.db, ownerId, query)
  const requests = await listCancellationRequests(deps.db, ownerId, query)
  return {
    total,
    appointments: appointments.map(toAppointmentRow),
    cancellation_requests: {
      total: requests.total,
      appointments: requests.appointments.map(toAppointmentRow),
    },
  }
}

/**
 * Maximum number of listed appointments: enough for a full day and the next one. To see more, the owner opens a
 * calendar's list.
 */
const SHOWN_ON_A_DAY = 40

/** Returns today's and the next appointments on all of the owner's calendars. Source: rule Y1. */
export async function getOwnerDay(deps: AppointmentsDeps, ownerId: OwnerId): Promise<OwnerDayResponse> {
  const now = new Date(deps.now())
  const appointments = await listAppointmentsFromToday(deps.db, ownerId, { now, limit: SHOWN_ON_A_DAY })
  return { as_of: now.toISOString(), appointments: appointments.map(toAppointmentRow) }
}
