import type { SlotMinutes, SlotRules } from '#core/scheduling/open-slots.ts'
import type { WeeklyOpening } from '#core/scheduling/weekly-opening.ts'
import type { Db } from '#server/platform/db/database.ts'

/** What the slot engine needs to know of a calendar. */
export type SchedulingCalendar = { readonly id: string; readonly timeZone: string; readonly rules: SlotRules }

/** The exclusive location that an appointment would take. */
export type ConflictLocation = { readonly locationId: string }

/** Reads the scheduling side of a public calendar. Null when the slug is unknown. */
export async function findSchedulingCalendar(db: Db, slug: string): Promise<SchedulingCalendar | null> {
  const row = await db
    .selectFrom('calendars')
    .select([
      'id',
      'timezone',
      'slot_duration_minutes',
      'buffer_time_minutes',
      'max_appointment_duration_minutes',
    ])
    .where('slug', '=', slug)
    .executeTakeFirst()
  return row === undefined ? null : toSchedulingCalendar(row)
}

/** The columns of a calendar that scheduling reads. */
export type RulesRow = {
  readonly id: string
  readonly timezone: string
  readonly slot_duration_minutes: SlotMinutes
  readonly buffer_time_minutes: number
  readonly max_appointment_duration_minutes: number
}

export function toSchedulingCalendar(row: RulesRow): SchedulingCalendar {
  return {
    id: row.id,
    timeZone: row.timezone,
    rules: {
      slotMinutes: row.slot_duration_minutes,
      bufferMinutes: row.buffer_time_minutes,
      maxDurationMinutes: row.max_appointment_duration_minutes,
    },
  }
}

/** Weekly openings of a calendar, in no particular order. */
export async function listOpenings(db: Db, calendarId: string): Promise<WeeklyOpening[]> {
  const rows = await db
    .selectFrom('availability')
    .select(['day_of_week', 'start_time', 'end_time'])
    .where('calendar_id', '=', calendarId)
    .execute()
  return rows.map((row) => ({
    dayOfWeek: row.day_of_week,
    startSeconds: toSeconds(row.start_time),
    endSeconds: toSeconds(row.end_time),
  }))
}

/** The calendar's primary location when it is physical and exclusive. */
export async function findPrimaryConflictLocation(
  db: Db,
  calendarId: string,
): Promise<ConflictLocation | null> {
  const row = await db
    .selectFrom('calendar_locations')
    .innerJoin('locations', 'locations.id', 'calendar_locations.location_id')
    .select('locations.id')
    .where('calendar_locations.calendar_id', '=', calendarId)
    .where('calendar_locations.is_primary', '=', true)
    .where('locations.type', '=', 'physical')
    .where('locations.exclusive', '=', true)
    .executeTakeFirst()
  return row === undefined ? null : { locationId: row.id }
}

export type SchedulingType = {
  readonly durationMinutes: number
  readonly isOnline: boolean
  readonly location: { readonly id: string; readonly takesPlace: boolean } | null
}

/** One type of this calendar as the slot engine sees it; another calendar's type is not found. Source: rule B2. */
export async function findSchedulingType(
  db: Db,
  calendarId: string,
  typeId: string,
): Promise<SchedulingType | null> {
  const row = await db
    .selectFrom('appointment_types')
    .leftJoin('locations', 'locations.id', 'appointment_types.location_id')
    .select([
      'appointment_types.duration',
      'appointment_types.is_online',
      'locations.id as location_id',
      'locations.type as location_type',
      'locations.exclusive',
    ])
    .where('appointment_types.calendar_id', '=', calendarId)
    .where('appointment_types.id', '=', typeId)
    .executeTakeFirst()
  if (row === undefined) return null
  return {
    durationMinutes: row.duration,
    isOnline: row.is_online,
    location:
      row.location_id === null
        ? null
        : { id: row.location_id, takesPlace: row.location_type === 'physical' && row.exclusive === true },
  }
}

/** `HH:MM:SS` (up to 24:00:00) as seconds from midnight. */
function toSeconds(time: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number)
  return hours * 3600 + minutes * 60 + seconds
}
