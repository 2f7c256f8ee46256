import type { KeyboardEvent } from 'react'
import type { AppointmentRow } from '#contract/appointments/appointments.ts'
import { addDays, dayOfWeek } from '#core/shared/zoned-time.ts'
import { useNow } from '#web/kit/use-now.ts'
import { formatDayOfWeek, formatLongDate, formatZone, localDateOf } from '#web/shared/format-date.ts'
import { CompactRow, rowButtonId } from './compact-row.tsx'

type CompactRowsProps = {
  appointments: readonly AppointmentRow[]
  /** The time zone of the list over all calendars; undefined for a list of one calendar. */
  timeZone?: string | undefined
  isStale: boolean
  /** False for a list of one customer: the rows name the service instead. */
  hasCustomerName?: boolean
  /** The id of the open appointment; null when none is open. */
  opened: string | null
  /** The id of the panel beside the rows; null if appointments open in a sheet. */
  panelId: string | null
  onOpen: (id: string, byKeyboard: boolean) => void
  onClose: () => void
}

/** Lists appointments as compact rows under their dates. The arrow keys move between rows; an open panel follows. */
export function CompactRows({
  appointments,
  timeZone,
  isStale,
  hasCustomerName = true,
  opened,
  panelId,
  onOpen,
  onClose,
}: CompactRowsProps) {
  const now = useNow()
  const [first] = appointments
  if (first === undefined) return null
  const zone = timeZone ?? first.time_zone
  const today = localDateOf(now, zone)
  const days = [...Map.groupBy(appointments, ({ starts_at }) => localDateOf(starts_at, zone))]
  const moveFocus = (event: KeyboardEvent, from: string) => {
    const next = findTarget(event, from, appointments)
    if (next === undefined) return
    event.preventDefault()
    const button = document.getElementById(rowButtonId(next))
    button?.focus()
    if (panelId !== null && opened !== null) onOpen(next, false)
  }
  return (
    <ul aria-label="Appointments" aria-busy={isStale} className="@container aria-busy:opacity-60">
      {days.map(([date, ofDay], index) => (
        <li key={date}>
          <h3 className="flex flex-wrap items-baseline justify-between gap-x-3 bg-sunken px-4 py-1 sm:px-6 font-sans text-sm font-normal tracking-normal text-ink-soft">
            <span>
              <strong className="font-semibold text-ink">{nearDay(date, today)}</strong>
              {', '}
              <span>{formatLongDate(date)}</span>
            </span>
            {index === 0 && <span className="text-xs leading-5">{formatZone(zone, first.starts_at)}</span>}
          </h3>
          <ul className="divide-y divide-line">
            {ofDay.map((appointment) => (
              <li key={appointment.id}>
                <CompactRow
                  appointment={appointment}
                  timeZone={zone}
                  hasCalendarName={timeZone !== undefined}
                  hasCustomerName={hasCustomerName}
                  isOpen={appointment.id === opened}
                  panelId={panelId}
                  onOpen={(byKeyboard) => onOpen(appointment.id, byKeyboard)}
                  onClose={onClose}
                  onKeyDown={(event) => moveFocus(event, appointment.id)}
                />
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  )
}

/** Returns the id of the appointment that an arrow key, Home or End leads to; undefined for other keys and at the ends. */
export function findTarget(
  { key, altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent,
  from: string,
  appointments: readonly Pick<AppointmentRow, 'id'>[],
): string | undefined {
  if (altKey || ctrlKey || metaKey || shiftKey) return undefined
  const index = appointments.findIndex(({ id }) => id === from)
  const target = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: appointments.length - 1 }[key]
  return target === undefined || target === index ? undefined : appointments[target]?.id
}

/** Names a day: `Today`, `Tomorrow`, or its weekday. */
function nearDay(date: string, today: string): string {
  if (date === today) return 'Today'
  return date === addDays(today, 1) ? 'Tomorrow' : formatDayOfWeek(dayOfWeek(date))
}
