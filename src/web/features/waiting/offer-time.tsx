import type { WaitingView } from '#contract/waiting.ts'
import { formatDateHeading, formatTime, formatZone, localDateOf } from '#web/shared/format-date.ts'
import { formatEuro } from '#web/shared/format-money.ts'

type OfferTimeProps = { view: WaitingView; offer: NonNullable<WaitingView['offer']> }

/** The time that is offered on the customer's clock, on that of the request where it reads otherwise, and the price. Source: rule T22. */
export function OfferTime({ view, offer }: OfferTimeProps) {
  const { starts_at: startsAt, ends_at: endsAt, price } = offer
  const [own, other] = [view.customer_time_zone, view.time_zone]
  const startIn = (zone: string) =>
    `${formatDateHeading(localDateOf(startsAt, zone))}, ${formatTime(startsAt, zone)}`
  return (
    <div className="rounded-control border border-line-strong p-4">
      <p className="font-display text-xl sm:text-2xl">
        {formatDateHeading(localDateOf(startsAt, own))}
        <br />
        {formatTime(startsAt, own)} – {formatTime(endsAt, own)}
      </p>
      <p className="mt-1 text-ink-soft">{formatZone(own, startsAt)}</p>
      {startIn(own) !== startIn(other) && (
        <p className="mt-1 text-ink-soft">
          For {view.calendar_name}: {startIn(other)}, {formatZone(other, startsAt)}
        </p>
      )}
      {price !== null && price > 0 && <p className="mt-2">Price: {formatEuro(price)}</p>}
    </div>
  )
}
