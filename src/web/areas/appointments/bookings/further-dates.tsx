import type { PublicAppointment } from '#contract/appointments/bookings.ts'
import { formatLongDate } from '#web/shared/format-date.ts'
import { choosePageTimeZone, formatInPageTimeZone } from '#web/shared/page-clock.ts'
import type { SavedBooking } from './saved-booking.ts'

type FurtherDatesProps = {
  appointment: PublicAppointment
  dates: SavedBooking['further']
  /** The time zone in which the customer chose the time; null if unknown. */
  zone: SavedBooking['zone'] | undefined
}

/** Lists the further dates of a series below the first one. Source: rule B48. */
export function FurtherDates({ appointment, dates = [], zone }: FurtherDatesProps) {
  if (dates.length === 0) return null
  const clock = choosePageTimeZone(appointment, zone)
  return (
    <section aria-label="Further dates" className="grid gap-1 pb-3 sm:pt-3">
      <p className="text-sm text-ink-soft">
        And {dates.length === 1 ? '1 more date' : `${dates.length} more dates`}
      </p>
      <ul className="grid gap-1 font-medium">
        {dates.map(({ id, starts_at }) => (
          <li key={id}>{formatInPageTimeZone(clock, starts_at, formatLongDate)}</li>
        ))}
      </ul>
    </section>
  )
}
