import { formatShortDay, formatTime, localDateOf } from '#web/shared/format-date.ts'
import { useIsNarrowScreen } from '#web/shared/use-is-narrow.ts'
import { useHydrated } from '#web/ui/use-hydrated.ts'
import type { BookingDraft, ZoneKind as Choice, DraftErrors } from './booking-draft.ts'
import { CollapsedStep } from './collapsed-step.tsx'
import { DaySelection } from './day-choice.tsx'
import { FirstAvailableTimes, FirstAvailableTimesPlaceholder } from './first-times.tsx'
import type { TimeZonesOfPage } from './shown-zone.ts'
import { ZonePlaceholder } from './step-placeholders.tsx'
import type { AvailableTimesRequest } from './times-queries.ts'
import { TimesSection } from './times-section.tsx'
import type { GoneTime } from './use-booking-form.ts'
import { TimeZoneSwitch } from './zone-choice.tsx'

type DateStepProps = {
  draft: BookingDraft
  request: AvailableTimesRequest
  /** True if the customer has to choose an appointment type first, because the times depend on it. */
  needsType: boolean
  zones: TimeZonesOfPage
  zone: Choice
  errors: DraftErrors
  /** The time that the customer chose if somebody else has taken it since; otherwise null. */
  goneAt: GoneTime | null
  /** True to collapse the step to one line once a time is chosen, as on a phone. Source: rule B29. */
  closes: boolean
  onReopen: () => void
  onZone: (zone: Choice) => void
  onDate: (date: string, isFull: boolean) => void
  onFirst: (startsAt: string) => void
  onTime: (startsAt: string) => void
  onGone: (startsAt: string) => void
}

/** The step "Select a Date & Time": shows the next free times, the month, and the times of the chosen day. Source: rule W9. */
export function DateStep({ draft, request, needsType, zones, zone, errors, goneAt, ...on }: DateStepProps) {
  const { date, startsAt } = draft
  const hydrated = useHydrated()
  const narrow = useIsNarrowScreen()
  const { shownZone, hourCycle } = request
  const isClosed = on.closes && startsAt !== null
  const shared = { request, needsType, date }
  return (
    <section aria-labelledby="date-step">
      {isClosed && (
        <CollapsedStep what="date and time" onChange={on.onReopen}>
          {formatShortDay(localDateOf(startsAt, shownZone))} at {formatTime(startsAt, shownZone, hourCycle)}
        </CollapsedStep>
      )}
      <div hidden={isClosed}>
        <h2 id="date-step" tabIndex={-1} className="mb-3 scroll-mt-20 rounded-sm text-xl">
          Select a Date & Time
        </h2>
        {hydrated ? (
          <TimeZoneSwitch zones={zones} chosen={zone} atIso={startsAt ?? noonOf(date)} onChoose={on.onZone} />
        ) : (
          <ZonePlaceholder />
        )}
        {date === null && !needsType && (
          <div className="mt-4 md:hidden">
            {!hydrated && <FirstAvailableTimesPlaceholder />}
            {hydrated && narrow && <FirstAvailableTimes request={request} onSelect={on.onFirst} />}
          </div>
        )}
        <div className="mt-4 grid gap-x-8 gap-y-6 md:grid-cols-2">
          <DaySelection {...on} {...shared} hydrated={hydrated} error={errors.date} />
          <TimesSection
            {...on}
            {...shared}
            startsAt={startsAt}
            error={errors.time}
            goneAt={goneAt}
            offersFirst={hydrated && !narrow}
          />
        </div>
      </div>
    </section>
  )
}

/**
 * Returns noon on the date, or now if there is no date. The zone abbreviation at noon is right for the day's times,
 * because clocks change at night.
 */
function noonOf(date: string | null): string {
  return date === null ? new Date().toISOString() : `${date}T12:00:00Z`
}
