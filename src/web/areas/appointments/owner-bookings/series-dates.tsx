import type { ReactNode } from 'react'
import { START_REASON_SENTENCES } from '#contract/appointments/owner-booking-problems.ts'
import type { SeriesPlan } from '#contract/appointments/series.ts'
import { describeBookedDates } from '#core/slots/series-rule.ts'
import { formatDay, formatShortDay, formatTime, localDateOf } from '#web/shared/format-date.ts'
import { TimeButtons } from '#web/shared/slot-buttons.tsx'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { LABEL_CLASS } from '#web/ui/field-frame.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import type { ChosenDate } from './series-form.ts'
import type { SeriesChoice } from './use-series-plan.ts'

/**
 * Shows every date of a series with the reasons against it. The owner leaves dates out, takes another time, or books a date
 * although customers are not offered it. Source: rules B39 and B40.
 */
export function SeriesDates({ series }: { series: SeriesChoice }) {
  const { asked, plan, error, retry, dates, choose } = series
  if (asked === null) return <Message>Choose a time and when the series ends to see its dates.</Message>
  if (plan === undefined && error !== null) {
    return <ErrorState title={error.message} onRetry={() => retry()} />
  }
  if (plan === undefined) {
    return (
      <Message>
        <Spinner /> Checking all dates...
      </Message>
    )
  }
  const booked = dates.filter(({ startsAt }) => startsAt !== null).length
  const askedAbout = dates.filter(({ isAskedAbout, startsAt }) => isAskedAbout && startsAt === null)
  return (
    <section aria-label="Dates" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p role="status" className={LABEL_CLASS}>
          {describeBookedDates(booked, dates.length)}
        </p>
        {askedAbout.length > 1 && (
          <Button
            size="sm"
            onClick={() => choose(Object.fromEntries(askedAbout.map(({ number }) => [number, 'book'])))}
          >
            Book {askedAbout.length} anyway
          </Button>
        )}
      </div>
      <ol className="max-h-96 divide-y divide-line overflow-y-auto rounded-control border border-line px-3">
        {dates.map((date) => (
          <li key={date.number} className="py-2.5">
            <SeriesDate date={date} plan={plan} choose={choose} />
          </li>
        ))}
      </ol>
    </section>
  )
}

type SeriesDateProps = Pick<SeriesChoice, 'choose'> & { date: ChosenDate; plan: SeriesPlan }

function SeriesDate({ date: { number, planned, startsAt, isTaken }, plan, choose }: SeriesDateProps) {
  const { time_zone: timeZone, hour_cycle: hourCycle } = plan
  const labelOf = (instant: string) => formatTime(instant, timeZone, hourCycle)
  const isBooked = startsAt !== null
  const other = startsAt === planned.starts_at ? null : startsAt
  return (
    <>
      <Checkbox
        label={`${formatDate(planned.date)}, ${labelOf(planned.starts_at)}`}
        hint={describe(planned)}
        checked={isBooked && other === null}
        disabled={isTaken}
        onChange={(checked) => choose({ [number]: checked ? 'book' : 'leave_out' })}
      />
      {planned.near_times.length > 0 && (
        <fieldset className="mt-2 ms-8">
          <legend className="mb-1.5 text-sm text-ink-soft">Another time</legend>
          <TimeButtons
            columns="grid-cols-1 sm:grid-cols-3"
            slots={planned.near_times.map(({ starts_at }) => ({
              startsAt: starts_at,
              label: withDate(starts_at, planned.date, timeZone, labelOf(starts_at)),
            }))}
            selected={other}
            onSelect={(chosen) => choose({ [number]: chosen === other ? 'leave_out' : { startsAt: chosen } })}
          />
        </fieldset>
      )}
    </>
  )
}

/** Says what speaks against the time of the rule, or how a time was read that a clock change skips or repeats. */
function describe({ reasons, reading }: ChosenDate['planned']): string {
  const sentences: string[] = reasons
    .filter((reason) => reason !== 'paused')
    .map((reason) => START_REASON_SENTENCES[reason])
  if (reading === 'skipped') sentences.unshift('The clocks go forward, so we’ll use this time.')
  if (reading === 'repeated') sentences.unshift('This time happens twice, so we’ll use the first one.')
  return sentences.join(' ')
}

/** Names the day of a near time if it differs from that of the date. */
function withDate(instant: string, date: string, timeZone: string, time: string): string {
  const day = localDateOf(instant, timeZone)
  return day === date ? time : `${formatShortDay(day)}, ${time}`
}

function formatDate(date: string): string {
  return formatDay(date, { weekday: 'short', month: 'short', day: 'numeric', year: 'numeric' })
}

function Message({ children }: { children: ReactNode }) {
  return (
    <p role="status" className="flex items-center gap-2 rounded-control bg-sunken p-4 text-ink-soft">
      {children}
    </p>
  )
}
