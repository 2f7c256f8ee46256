import { formatShortDay, formatTime, localDateOf } from '#web/shared/format-date.ts'
import { useIsNarrow } from '#web/shared/use-is-narrow.ts'
import { useHydrated } from '#web/ui/use-hydrated.ts'
import type { BookingDraft, ZoneChoice as Choice, DraftErrors } from './booking-draft.ts'
import { CollapsedStep } from './collapsed-step.tsx'
import { DayChoice } from './day-choice.tsx'
import { FirstTimes, FirstTimesPlaceholder } from './first-times.tsx'
import type { Zones } from './shown-zone.ts'
import { ZonePlaceholder } from './step-placeholders.tsx'
import type { TimesRequest } from './times-queries.ts'
import { TimesSection } from './times-section.tsx'
import { ZoneChoice } from './zone-choice.tsx'

type DateStepProps = {
  draft: BookingDraft
  request: TimesRequest
  /** The customer has to choose an appointment type first: the times depend on it. */
  needsType: boolean
  zones: Zones
  zone: Choice
  errors: DraftErrors
  /** A time that the customer chose and that has been taken since. */
  goneAt: string | null
  /** On a phone, the step collapses to one line once a time is chosen. Source: rule B29. */
  closes: boolean
  onReopen: () => void
  onZone: (zone: Choice) => void
  onDate: (date: string, isFull: boolean) => void
  onFirst: (startsAt: string) => void
  onTime: (startsAt: string) => void
  onGone: (startsAt: string) => void
}

/** "Select a Date & Time": the first free times, the month, and the times of the chosen day. Source: rule W9. */
export function DateStep({ draft, request, needsType, zones, zone, errors, goneAt, ...on }: DateStepProps) {
  const { date, startsAt } = draft
  const hydrated = useHydrated()
  const narrow = useIsNarrow()
  const { shownZone } = request
  const isClosed = on.closes && startsAt !== null
  const shared = { request, needsType, date }
  return (
    <section aria-labelledby="date-step">
      {isClosed && (
        <CollapsedStep what="date and time" onChange={on.onReopen}>
          {formatShortDay(localDateOf(startsAt, shownZone))} at {formatTime(startsAt, shownZone)}
        </CollapsedStep>
      )}
      <div hidden={isClosed}>
        <h2 id="date-step" tabIndex={-1} className="mb-3 scroll-mt-20 rounded-sm text-xl">
          Select a Date & Time
        </h2>
        {hydrated ? (
          <ZoneChoice zones={zones} chosen={zone} atIso={startsAt ?? noonOf(date)} onChoose={on.onZone} />
        ) : (
          <ZonePlaceholder />
        )}
        {date === null && !needsType && (
          <div className="mt-4 md:hidden">
            {!hydrated && <FirstTimesPlaceholder />}
            {hydrated && narrow && <FirstTimes request={request} onSelect={on.onFirst} />}
          </div>
        )}
        <div className="mt-4 grid gap-x-8 gap-y-6 md:grid-cols-2">
          <DayChoice {...on} {...shared} hydrated={hydrated} error={errors.date} />
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

/** Noon of the date (now if there is none): an instant at which the day's zone abbreviation is right, as clocks change at night. */
function noonOf(date: string | null): string {
  return date === null ? new Date().toISOString() : `${date}T12:00:00Z`
}
