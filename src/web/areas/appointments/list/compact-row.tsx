import { type KeyboardEvent, useId, useRef } from 'react'
import type { AppointmentRow } from '#contract/appointments/appointments.ts'
import { MINUTE_MS } from '#core/shared/duration.ts'
import { wrapInBidiIsolates } from '#core/shared/text.ts'
import { formatLongDate, formatTime, localDateOf } from '#web/shared/format-date.ts'
import { classNames } from '#web/ui/class-names.ts'
import { RowBadges, RowPrice } from './appointment-badges.tsx'
import { formatInOwnTimeZone } from './list-clock.ts'
import { RowActions } from './row-actions.tsx'
import { isNamedOnline, listServiceNames } from './service-name.ts'

type CompactRowProps = {
  appointment: AppointmentRow
  /** The time zone of the list. If the calendar has another one, the row shows its own time, too. */
  timeZone: string
  /** True to name the calendar. */
  hasCalendarName: boolean
  /** True to name the customer, false to name the service in the customer's place. */
  hasCustomerName: boolean
  isOpen: boolean
  /** The id of the panel that the row opens; null if it opens a sheet. */
  panelId: string | null
  /** `byKeyboard`: the focus follows into the panel. */
  onOpen: (byKeyboard: boolean) => void
  onClose: () => void
  onKeyDown: (event: KeyboardEvent<HTMLButtonElement>) => void
}

/** The id of the button that opens an appointment, which gets the focus back. */
export function rowButtonId(appointmentId: string): string {
  return `appointment-${appointmentId}`
}

/**
 * An appointment in at most 64 px on a desktop and 88 px on a phone: time, customer, service, badges and actions. Pressing the
 * row opens the rest. Source: rule V2.
 */
export function CompactRow(props: CompactRowProps) {
  const { appointment, timeZone, isOpen, panelId, onOpen, onClose, onKeyDown } = props
  const button = useRef<HTMLButtonElement>(null)
  const timeId = useId()
  const serviceId = useId()
  const { id, customers, color, starts_at, hour_cycle, status, is_offer } = appointment
  const name = customers.name || 'Unknown'
  const service = serviceOf(props)
  const title = props.hasCustomerName
    ? name
    : wrapInBidiIsolates(listServiceNames(appointment, false)[0] ?? '')
  return (
    <article
      aria-label={`${name}, ${formatLongDate(localDateOf(starts_at, timeZone))}`}
      className={classNames(
        'relative grid grid-cols-1 items-center gap-x-2 py-1 ps-4 pe-1 sm:ps-6 sm:pe-3 @min-[25rem]:gap-x-3 @min-[25rem]:py-1.5',
        '@min-[16rem]:grid-cols-[5.75rem_minmax(0,1fr)_auto]',
        '@min-[25rem]:grid-cols-[6rem_minmax(5rem,1fr)_auto_auto] @min-[40rem]:grid-cols-[6rem_minmax(9rem,1fr)_auto_auto]',
        isOpen ? 'bg-noon-soft/50 forced-colors:outline-2 forced-colors:-outline-offset-2' : 'hover:bg-paper',
      )}
    >
      <span
        aria-hidden="true"
        className="absolute inset-y-0 start-0 w-1 forced-color-adjust-none dark:brightness-140"
        style={{ backgroundColor: color }}
      />
      <p id={timeId} className="@min-[16rem]:row-span-2 @min-[25rem]:row-span-1">
        <time
          dateTime={starts_at}
          className={classNames(
            'block leading-tight font-semibold whitespace-nowrap tabular-nums',
            status === 'cancelled' && 'line-through decoration-ink-faint',
          )}
        >
          {formatTime(starts_at, timeZone, hour_cycle)}
        </time>
        <span className="block text-sm whitespace-nowrap text-ink-soft tabular-nums">
          {durationOf(appointment)}
        </span>
      </p>
      <div className="min-w-0">
        <h4 className="flex font-sans text-base leading-tight tracking-normal">
          <button
            ref={button}
            id={rowButtonId(id)}
            type="button"
            dir="auto"
            title={title}
            aria-haspopup={panelId === null ? 'dialog' : undefined}
            aria-expanded={panelId === null ? undefined : isOpen}
            aria-controls={panelId !== null && isOpen ? panelId : undefined}
            aria-describedby={`${timeId} ${serviceId}`}
            onKeyDown={onKeyDown}
            onClick={({ detail }) => {
              // A click by Enter, the space bar or a screen reader has no clicks in a row.
              if (detail === 0) onOpen(true)
              else if (isOpen) onClose()
              else onOpen(false)
            }}
            className="truncate text-start font-semibold outline-offset-0 after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-focus @max-[16rem]:whitespace-normal @max-[16rem]:wrap-anywhere"
          >
            {title}
          </button>
        </h4>
        <p
          id={serviceId}
          className="flex gap-x-1.5 text-sm leading-tight text-ink-soft @min-[25rem]:leading-5 @max-[16rem]:flex-wrap"
        >
          <span className="min-w-0 truncate @max-[16rem]:whitespace-normal @max-[16rem]:wrap-anywhere">
            {service}
          </span>
          <RowPrice
            appointment={appointment}
            lead={service === '' ? '' : '· '}
            className="@min-[40rem]:hidden"
          />
        </p>
      </div>
      <RowBadges
        appointment={appointment}
        className="@min-[16rem]:col-span-2 @min-[16rem]:col-start-2 @min-[16rem]:max-h-11 @min-[16rem]:overflow-hidden @min-[25rem]:col-span-1 @min-[25rem]:col-start-3 @min-[25rem]:max-w-40 @min-[25rem]:justify-end @min-[30rem]:max-w-56 @min-[40rem]:max-w-none"
      />
      <div className="relative flex items-center justify-end gap-1 touch:-my-1 @min-[16rem]:col-start-3 @min-[16rem]:row-start-1 @min-[25rem]:col-start-4 @min-[40rem]:min-w-42">
        {!is_offer && (
          <RowActions
            appointment={appointment}
            onOpen={() => onOpen(true)}
            findNextFocus={() => button.current}
          />
        )}
      </div>
    </article>
  )
}

/** Formats the length: `45 min`. */
function durationOf({ starts_at, ends_at }: AppointmentRow): string {
  return `${Math.round((Date.parse(ends_at) - Date.parse(starts_at)) / MINUTE_MS)} min`
}

/**
 * Names the service and its place: `Massage · Riverside`. In a list over all calendars also the calendar, and its own time where it
 * differs: `4:00 PM EST · Massage · Evenings · Riverside`.
 */
function serviceOf(props: CompactRowProps): string {
  const { appointment, timeZone, hasCalendarName, hasCustomerName } = props
  const { is_online, location } = appointment
  const place = is_online ? 'Online' : location?.name
  return [
    formatInOwnTimeZone(appointment, timeZone),
    ...listServiceNames(appointment, hasCalendarName).slice(hasCustomerName ? 0 : 1),
    is_online && isNamedOnline(appointment) ? '' : place,
  ]
    .map((part) => wrapInBidiIsolates(part || ''))
    .filter((part) => part !== '')
    .join(' · ')
}
