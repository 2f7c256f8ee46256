import type { CustomerWaitingRequest } from '#contract/waiting-list/waiting-list.ts'
import { wrapInBidiIsolates } from '#core/shared/text.ts'
import { formatDateHeading, formatTime, formatZone, localDateOf } from '#web/shared/format-date.ts'
import { toPriceText } from '#web/shared/format-money.ts'
import { formatStart } from './format-start.ts'

type OfferTimeProps = { view: CustomerWaitingRequest; offer: NonNullable<CustomerWaitingRequest['offer']> }

/**
 * Shows the offered time and its price or fee note. If the clock time differs between the customer's and the calendar's time zone,
 * shows both. Source: rule T22.
 */
export function OfferTime({ view, offer }: OfferTimeProps) {
  const { starts_at: startsAt, ends_at: endsAt, price } = offer
  const priceText = price === 0 ? null : toPriceText(price, offer.fee_note)
  const { customer_time_zone: own, time_zone: other, hour_cycle } = view
  const startThere = formatStart(startsAt, other, hour_cycle)
  return (
    <div className="rounded-control border border-line-strong p-4">
      <p className="font-display text-xl sm:text-2xl">
        {formatDateHeading(localDateOf(startsAt, own))}
        <br />
        {formatTime(startsAt, own, hour_cycle)} – {formatTime(endsAt, own, hour_cycle)}
      </p>
      <p className="mt-1 text-ink-soft">{formatZone(own, startsAt)}</p>
      {formatStart(startsAt, own, hour_cycle) !== startThere && (
        <p className="mt-1 text-ink-soft">
          For {wrapInBidiIsolates(view.calendar_name)}: {startThere}, {formatZone(other, startsAt)}
        </p>
      )}
      {priceText && <p className="mt-2 wrap-anywhere">Price: {wrapInBidiIsolates(priceText)}</p>}
    </div>
  )
}
