import { useQuery } from '@tanstack/react-query'
import type { Calendar, CalendarOutlook } from '#contract/calendars.ts'
import { zoneCity } from '#contract/zone-names.ts'
import { outlookQuery } from '#web/app/kit/calendar-cache.ts'
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

/** Says what another zone does to appointments and weekly hours before it does it. */
export function ChangeTimeZoneDialog({ calendar, next, ...dialog }: ChangeTimeZoneDialogProps) {
  const { data, isError } = useQuery({ ...outlookQuery(calendar.id), enabled: dialog.open })
  const zones = { before: calendar.timezone, next }
  return (
    <ConfirmDialog
      {...dialog}
      title={`Change the time zone to ${zoneCity(next)}?`}
      description={
        <>
          <span className="block">
            {data === undefined ? sentenceWithoutNumber(isError) : sentenceAbout(data, zones)}
          </span>
          <span className="mt-2 block">
            Your weekly hours apply in the new zone from then on: 9:00 AM will mean 9:00 AM in{' '}
            {zoneCity(next)}.
          </span>
        </>
      }
      confirmLabel="Update Timezone"
      pendingLabel="Updating..."
    />
  )
}

function sentenceWithoutNumber(isError: boolean): string {
  return isError
    ? 'Future appointments keep their instant and will be shown at other wall-clock times.'
    : 'Looking up how many appointments lie ahead…'
}

type Zones = { readonly before: string; readonly next: string }

function sentenceAbout({ future_appointments, next_appointment }: CalendarOutlook, zones: Zones): string {
  if (future_appointments === 0 || next_appointment === null) return 'No appointments lie ahead.'
  const [before, after] = [zones.before, zones.next].map((zone) => inWords(next_appointment.starts_at, zone))
  const what =
    future_appointments === 1
      ? '1 future appointment keeps its instant: it takes place when it would have.'
      : `${future_appointments} future appointments keep their instant: they take place when they would have.`
  if (before === after) return `${what} The next one will be shown at the same time, ${after}.`
  const shown = future_appointments === 1 ? 'It' : 'They'
  return `${what} ${shown} will be shown at other wall-clock times: the next one at ${after} instead of ${before}.`
}

/** `9:30 AM on Tuesday, December 1` */
function inWords(startsAt: string, timeZone: string): string {
  return `${formatTime(startsAt, timeZone)} on ${formatDateHeading(localDateOf(startsAt, timeZone))}`
}
