import type { AppointmentRow } from '#contract/appointments/appointments.ts'
import { formatTime, formatZone } from '#web/shared/format-date.ts'

type AppointmentTimesProps = {
  appointment: Pick<AppointmentRow, 'starts_at' | 'ends_at' | 'time_zone'>
  /** False if the zone is shown once for the whole list. */
  zone?: boolean | undefined
}

/** `9:30 AM – 10:00 AM`, and the time zone. */
export function AppointmentTimes({ appointment, zone = true }: AppointmentTimesProps) {
  const { starts_at, ends_at, time_zone } = appointment
  return (
    <>
      <span className="inline-block font-semibold tabular-nums">
        <time dateTime={starts_at}>{formatTime(starts_at, time_zone)}</time>
        {' – '}
        <time dateTime={ends_at}>{formatTime(ends_at, time_zone)}</time>
      </span>
      {zone && <span className="block text-sm text-ink-soft">{formatZone(time_zone, starts_at)}</span>}
    </>
  )
}
