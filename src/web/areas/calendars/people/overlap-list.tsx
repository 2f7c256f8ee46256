import type { OverlappingAppointment, OverlapsResponse } from '#contract/calendars/people.ts'
import { wrapInBidiIsolates } from '#core/shared/text.ts'
import { AppointmentLink, formatAppointmentTime } from '#web/kit/appointment-reference.tsx'
import { zoneAbbreviation } from '#web/shared/format-date.ts'

type OverlapListProps = {
  overlaps: OverlapsResponse
  label: string
  /** True when the links open in a new tab, so that a form on this page keeps its text. */
  inNewTab: boolean
}

/** Lists pairs of overlapping appointments, each with its calendar and time. */
export function OverlappingAppointmentsList({
  overlaps: { total, overlaps },
  label,
  inNewTab,
}: OverlapListProps) {
  const more = total - overlaps.length
  return (
    <>
      <ul aria-label={label} className="divide-y divide-line">
        {overlaps.map(({ first, second }) => {
          const hasTwoZones = first.time_zone !== second.time_zone
          return (
            <li key={`${first.id} ${second.id}`} className="grid gap-x-6 gap-y-2 py-3 sm:grid-cols-2">
              <OverlapLine appointment={first} zone={hasTwoZones} inNewTab={inNewTab} />
              <OverlapLine appointment={second} zone={hasTwoZones} inNewTab={inNewTab} />
            </li>
          )
        })}
      </ul>
      {more > 0 && <p className="pt-2 text-ink-soft">{more === 1 ? '1 more.' : `${more} more.`}</p>}
    </>
  )
}

type OverlapLineProps = {
  appointment: OverlappingAppointment
  /** True when the zone is shown, because the two calendars have different zones. */
  zone: boolean
  inNewTab: boolean
}

function OverlapLine({ appointment, zone, inNewTab }: OverlapLineProps) {
  const { calendar_name, starts_at, time_zone } = appointment
  return (
    <div className="min-w-0">
      <p className="touch:flex touch:min-h-11 touch:items-center">
        <AppointmentLink appointment={appointment} inNewTab={inNewTab} />
      </p>
      <p className="text-sm">
        {formatAppointmentTime(appointment)}
        {zone && ` (${zoneAbbreviation(time_zone, starts_at)})`}
      </p>
      <p className="text-sm wrap-anywhere text-ink-soft">{wrapInBidiIsolates(calendar_name)}</p>
    </div>
  )
}
