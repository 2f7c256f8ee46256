import { randomUUID } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { TypeHoursRange } from '#contract/availability/opening-hours.ts'
import type { WeeklyOpening } from '#core/availability/weekly-opening.ts'
import { toSecondsOfDay } from '#core/shared/zoned-time.ts'
import type { Trx } from '#server/platform/db/transaction.ts'

/** SQL for the hours of a type as a list, Monday first. The arguments are SQL. */
export function typeHoursSql(calendarId: RawBuilder<unknown>, typeId: RawBuilder<unknown>) {
  return sql<TypeHoursRange[]>`(
    select coalesce(
      jsonb_agg(
        jsonb_build_object('day_of_week', day_of_week, 'start_time', start_time::text, 'end_time', end_time::text)
        order by (day_of_week + 6) % 7, start_time
      ),
      '[]'
    ) from type_hours
    where type_hours.calendar_id = ${calendarId} and type_hours.appointment_type_id = ${typeId}
  )`
}

/** Replaces the hours of a type of a locked calendar; undefined leaves them. Appointments stay. Source: rule T62. */
export async function changeTypeHours(
  trx: Trx,
  { calendarId, id }: { readonly calendarId: string; readonly id: string },
  hours: readonly TypeHoursRange[] | undefined,
): Promise<void> {
  if (hours === undefined) return
  await trx
    .deleteFrom('type_hours')
    .where('calendar_id', '=', calendarId)
    .where('appointment_type_id', '=', id)
    .execute()
  if (hours.length === 0) return
  await trx
    .insertInto('type_hours')
    .values(
      hours.map(({ day_of_week, start_time, end_time }) => ({
        calendar_id: calendarId,
        id: randomUUID(),
        appointment_type_id: id,
        day_of_week,
        start_time,
        end_time,
      })),
    )
    .execute()
}

/** Converts stored hours of a type to those of the slot search. */
export function toWeeklyOpening({ day_of_week, start_time, end_time }: TypeHoursRange): WeeklyOpening {
  return {
    dayOfWeek: day_of_week,
    startSeconds: toSecondsOfDay(start_time),
    endSeconds: toSecondsOfDay(end_time),
  }
}
