import type { AppointmentRow } from '#contract/appointments/appointments.ts'
import { formatTime, formatZone } from '#web/shared/format-date.ts'

type AppointmentTimesProps = {
  appointment: Pick<AppointmentRow, 'starts_at' | 'ends_at' | 'time_zone' | 'hour_cycle'>
  /** False to hide the time zone, because the list shows it once for all appointments. */
  zone?: boolean | undefined
}

/** Shows the start and end, such as `9:30 AM – 10:00 AM`, and the time zone. */
export function AppointmentTimes({ appointment, zone = true }: AppointmentTimesProps) {
  const { starts_at, ends_at, time_zone, hour_cycle } = appointment
  return (
    <>
      <span className="inline-block font-semibold tabular-nums">
        <time dateTime={starts_at}>{formatTime(starts_at, time_zone, hour_cycle)}</time>
        {' – '}
        <time dateTime={ends_at}>{formatTime(ends_at, time_zone, hour_cycle)}</time>
      </span>
      {zone && <span className="block text-sm text-ink-soft">{formatZone(time_zone, starts_at)}</span>}
    </>
  )
}
