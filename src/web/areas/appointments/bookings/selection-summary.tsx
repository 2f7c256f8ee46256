import type { PublicAppointmentType } from '#contract/availability/appointment-types.ts'
import type { HourCycle } from '#core/shared/hour-cycle.ts'
import { formatDateHeading, formatTime, formatZone, localDateOf } from '#web/shared/format-date.ts'
import { toPriceText } from '#web/shared/format-money.ts'
import type { DraftSeries } from './booking-draft.ts'

type SelectionSummaryProps = {
  type: PublicAppointmentType | null
  startsAt: string | null
  /** The series whose further dates are booked with it. */
  series?: DraftSeries | undefined
  timeZone: string
  hourCycle: HourCycle
  /** The location of the appointment. Source: rule B28. */
  location: string | null
  /** True if the customer does not pay the price online. Source: rule B6. */
  isPaidByHand: boolean
  /** True to show the chosen service before a time is chosen. */
  isAlwaysShown?: boolean
}

/** Shows the chosen service, time, location and price above the submit button. */
export function SelectionSummary({
  type,
  startsAt,
  series,
  timeZone,
  hourCycle,
  location,
  isPaidByHand,
  isAlwaysShown = false,
}: SelectionSummaryProps) {
  const price = type && type.price !== 0 && toPriceText(type.price, type.fee_note)
  const isEarly = startsAt === null
  // The button to pay names no amount, so the price is above it from the start.
  if (isEarly && !type?.price && (type === null || !isAlwaysShown)) return null
  return (
    <div className="rounded-control bg-sunken p-4">
      {type !== null && (
        <p className="text-ink-soft wrap-anywhere">
          <bdi>{type.name}</bdi> · {type.duration} min
        </p>
      )}
      {!isEarly && (
        <>
          <p className="font-semibold">
            {formatDateHeading(localDateOf(startsAt, timeZone))}{' '}
            <span className="whitespace-nowrap">at {formatTime(startsAt, timeZone, hourCycle)}</span>
          </p>
          <p className="font-semibold empty:hidden">{nameFurtherDates(series)}</p>
          <p className="text-ink-soft">{formatZone(timeZone, startsAt)}</p>
          {location !== null && <p className="text-ink-soft wrap-anywhere">{location}</p>}
        </>
      )}
      {price && <p className="mt-1 font-semibold tabular-nums wrap-anywhere">{price}</p>}
      {isPaidByHand && <p className="text-ink-soft">Payment will be handled manually.</p>}
    </div>
  )
}

function nameFurtherDates(series: DraftSeries | undefined): string | undefined {
  const count = series?.dates.length
  if (count) return count === 1 ? 'and on 1 more date' : `and on ${count} more dates`
}
