import type { HourCycle } from '#core/shared/hour-cycle.ts'
import {
  browserTimeZone,
  formatDateHeading,
  formatTime,
  formatZone,
  localDateOf,
} from '#web/shared/format-date.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { setTimeInSavedDraft } from './pending-payment.ts'

type NearTimesProps = { startsAt: readonly string[]; hourCycle: HourCycle; bookingPath: string }

/**
 * Lists free times close to the one that the customer has lost. Each links to the booking page, which opens with the
 * draft restored and that time chosen.
 */
export function NearbyFreeTimes({ startsAt, hourCycle, bookingPath }: NearTimesProps) {
  const timeZone = browserTimeZone()
  return (
    <section aria-labelledby="near-times" className="grid gap-3">
      <div>
        <h2 id="near-times" className="text-xl">
          Other free times
        </h2>
        {startsAt[0] !== undefined && (
          <p className="text-ink-soft">Your time: {formatZone(timeZone, startsAt[0])}</p>
        )}
      </div>
      <ul className="grid gap-2 sm:grid-cols-3">
        {startsAt.map((start) => (
          <li key={start}>
            <ButtonLink
              href={bookingPath}
              className="h-full w-full text-center"
              onClick={() => setTimeInSavedDraft(start, timeZone)}
            >
              <span>
                {formatDateHeading(localDateOf(start, timeZone))}{' '}
                <span className="whitespace-nowrap">at {formatTime(start, timeZone, hourCycle)}</span>
              </span>
            </ButtonLink>
          </li>
        ))}
      </ul>
    </section>
  )
}
