import { useQuery } from '@tanstack/react-query'
import type { Calendar, CalendarOutlook } from '#contract/calendars/calendars.ts'
import { zoneCity } from '#contract/shared/zone-names.ts'
import { outlookQuery } from '#web/kit/calendar-cache.ts'
import { formatClock } from '#web/shared/format-clock.ts'
import { formatDateHeading, formatTime, localDateOf } from '#web/shared/format-date.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'

type ChangeTimeZoneDialogProps = {
  calendar: Calendar
  /** The zone that was chosen. */
  next: string
  open: boolean
  onOpenChange: (open: boolean) => void
  pending: boolean
  onConfirm: () => void
}

/** Says what another zone changes for appointments and weekly hours, before it is saved. Source: rule T24. */
export function ChangeTimeZoneDialog({ calendar, next, ...dialog }: ChangeTimeZoneDialogProps) {
  const { data, isFetching, isError } = useQuery({ ...outlookQuery(calendar.id), enabled: dialog.open })
  // Earlier answers may be out of date.
  const outlook = isFetching || isError ? undefined : data
  const nine = formatClock('09:00')
  const zones = { before: calendar.timezone, next }
  return (
    <ConfirmDialog
      {...dialog}
      title={`Change the time zone to ${zoneCity(next)}?`}
      description={
        <>
          <span className="block">
            {outlook === undefined ? sentenceWithoutNumber(isError) : sentenceAbout(outlook, zones)}
          </span>
          <span className="mt-2 block">
            Your weekly hours apply in the new zone from then on: {nine} will mean {nine} in {zoneCity(next)}.
          </span>
        </>
      }
      confirmLabel="Update Time Zone"
      pendingLabel="Updating..."
    />
  )
}

function sentenceWithoutNumber(isError: boolean): string {
  return isError
    ? 'Future appointments do not move: only the time you see for them changes.'
    : 'Looking up how many appointments lie ahead…'
}

type Zones = { readonly before: string; readonly next: string }

function sentenceAbout({ future_appointments, next_appointment }: CalendarOutlook, zones: Zones): string {
  if (future_appointments === 0 || next_appointment === null) return 'There are no upcoming appointments.'
  const what =
    future_appointments === 1
      ? '1 future appointment does not move: nobody has to come earlier or later.'
      : `${future_appointments} future appointments do not move: nobody has to come earlier or later.`
  const before = readingOf(next_appointment.starts_at, zones.before)
  const after = readingOf(next_appointment.starts_at, zones.next)
  if (before.time === after.time && before.day === after.day) {
    return `${what} You will see the next one at the same time as now, ${after.time} on ${after.day}.`
  }
  const from = before.day === after.day ? before.time : `${before.time} on ${before.day}`
  return `${what} Only the time you see changes: you will see the next one at ${after.time} on ${after.day} instead of ${from}.`
}

/** The texts of a clock and of a calendar: `9:30 AM`, `Tuesday, December 1`. */
function readingOf(startsAt: string, timeZone: string): { time: string; day: string } {
  return {
    time: formatTime(startsAt, timeZone),
    day: formatDateHeading(localDateOf(startsAt, timeZone)),
  }
}
