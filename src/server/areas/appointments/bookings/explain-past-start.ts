import type { z } from 'zod'
import type { PastTime, pastTimeQuery } from '#contract/appointments/past-time.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { RETENTION_DAYS } from '#contract/shared/retention.ts'
import { type SlotSettings, toSlotRules } from '#contract/slots/slot-settings.ts'
import { interpretLocalTime } from '#core/appointments/interpret-local-time.ts'
import { rewindSettings, type SettingRow } from '#core/calendars/rewind-settings.ts'
import { DAY_MS, MINUTE_MS } from '#core/shared/duration.ts'
import { toSecondsOfDay } from '#core/shared/zoned-time.ts'
import { explainStart, listReachedLimits } from '#core/slots/explain-start.ts'
import { PAST_REACH_MS, type PastSettings, toPastStartQuery } from '#core/slots/past-start.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/database.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { getOwnCalendar } from '#server/records/calendars/use-cases.ts'
import { listRefusals } from '#server/records/refusals/repository.ts'
import { toRefusal } from '#server/records/refusals/use-cases.ts'
import { TIME_WITHOUT_TYPE } from '#server/records/slots/use-cases.ts'
import {
  findKnownSince,
  findSettingTables,
  hasExternalCalendars,
  listChangesSince,
  listPastAppointments,
} from './past-repository.ts'

type PastDeps = { readonly db: Db; readonly now: Clock }

/** Refusals of one start that are shown beside the answer. */
const SHOWN_REFUSALS = 20

/**
 * Explains whether customers were offered a start at an earlier moment, with the settings and appointments of that moment. Source: rule
 * T78.
 * @throws ProblemError `calendar.*`, `past_time.*`
 */
export async function explainPastStart(
  deps: PastDeps,
  ownerId: OwnerId,
  calendarId: string,
  query: z.output<typeof pastTimeQuery>,
): Promise<PastTime> {
  const { timezone: presentZone, hour_cycle } = await getOwnCalendar(deps, ownerId, calendarId)
  const typeId = query.appointment_type_id ?? null
  const at = interpretLocalTime(query.moment_date, toSecondsOfDay(query.moment_time), presentZone)
  // The whole minute counts, because the owner types no seconds.
  const nowMs = Math.min(at.startsAtMs + MINUTE_MS - 1, deps.now())
  if (at.startsAtMs > deps.now()) throw new ProblemError('past_time.future')
  const settings = await getPastSettings(deps, calendarId, { typeId, nowMs })
  const { type, rules } = settings

  const { startsAtMs, reading } = interpretLocalTime(query.date, toSecondsOfDay(query.time), presentZone)
  const durationMinutes = Number(type?.duration ?? query.duration ?? TIME_WITHOUT_TYPE.durationMinutes)
  const { bufferMinutes } = rules
  const appointments = await listPastAppointments(deps.db, {
    calendarId,
    hostId: settings.hostId,
    locationId: findExclusiveLocation(settings),
    bufferMinutes,
    moment: new Date(nowMs),
    during: { startMs: startsAtMs - PAST_REACH_MS, endMs: startsAtMs + PAST_REACH_MS },
  })
  const start = toPastStartQuery(settings, appointments, { nowMs, durationMinutes })
  const reasons = explainStart(start, startsAtMs)
  const kept = { startsAt: new Date(startsAtMs), typeId, limit: SHOWN_REFUSALS }
  return {
    starts_at: new Date(startsAtMs).toISOString(),
    ends_at: new Date(startsAtMs + durationMinutes * MINUTE_MS).toISOString(),
    time_zone: presentZone,
    hour_cycle,
    reading,
    reasons,
    external_event: null,
    conflicting_appointment: null,
    buffer_minutes: reasons.includes('buffer') ? bufferMinutes : null,
    reached_limits: listReachedLimits(start, startsAtMs),
    bookable_dates: { ...start.bookable, is_of_type: type?.booking_window != null },
    special_day: null,
    unchecked_calendars: [],
    moment: new Date(at.startsAtMs).toISOString(),
    knows_all_events: !(await hasExternalCalendars(deps.db, settings.hostId)),
    refusals: (await listRefusals(deps.db, calendarId, kept)).map(toRefusal),
  }
}

/** Rebuilds the settings of a moment from the present ones and the changes since then. */
async function getPastSettings(
  { db, now }: PastDeps,
  calendarId: string,
  { typeId, nowMs }: { readonly typeId: string | null; readonly nowMs: number },
): Promise<PastSettings & { readonly hostId: string }> {
  const since = await findKnownSince(db, calendarId, LIMITS.settingChangesPerCalendar)
  const moment = new Date(nowMs)
  const present = await findSettingTables(db, calendarId)
  if (present === null) throw new ProblemError('calendar.not_found')
  const tables = rewindSettings(present, await listChangesSince(db, calendarId, moment))
  const [calendar] = tables.calendars ?? []
  const earliestMs = Math.max(
    since.getTime(),
    now() - RETENTION_DAYS.settingChange * DAY_MS,
    Date.parse(String(calendar?.created_at)),
  )
  if (calendar === undefined || nowMs < earliestMs) throw new ProblemError('past_time.unknown')
  const type = typeId === null ? null : tables.appointment_types?.find(({ id }) => id === typeId)
  if (type === undefined) throw new ProblemError('past_time.type_unknown')
  return {
    timeZone: String(calendar.timezone),
    // The columns of `calendars` are the fields of the slot settings.
    rules: toSlotRules(calendar as SlotSettings),
    hostId: String(calendar.host_id),
    type,
    tables,
    isPaused: calendar.is_paused === true || calendar.takes_bookings === false,
  }
}

/** Returns the exclusive location of an appointment of the type at that moment; null without one. Source: rules T14 and T15. */
function findExclusiveLocation({ type, tables }: PastSettings): string | null {
  if (type?.is_online === true) return null
  const primary = tables.calendar_locations?.find(({ is_primary }) => is_primary === true)
  const id = type?.location_id ?? primary?.location_id
  const location = tables.locations?.find((each: SettingRow) => each.id === id)
  return location?.type === 'physical' && location.exclusive === true ? String(id) : null
}
