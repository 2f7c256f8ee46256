import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { AvailabilityResponse } from '#contract/availability/opening-hours.ts'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { wrapInBidiIsolates } from '#core/shared/text.ts'
import { addDays } from '#core/shared/zoned-time.ts'
import { LoadStatus } from '#web/kit/load-status.tsx'
import { LinePlaceholder, RepeatedPlaceholder } from '#web/kit/loading-shape.tsx'
import { formatMonthDay, formatShortDate, formatZone, localDateOf } from '#web/shared/format-date.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { ChevronLeft } from '#web/ui/icons/chevron-left.ts'
import { ChevronRight } from '#web/ui/icons/chevron-right.ts'
import { Select } from '#web/ui/select.tsx'
import { availabilityPreviewQuery, specialDaysQuery } from './availability-queries.ts'
import { PreviewLegend, PreviewTimetable } from './preview-timetable.tsx'

export type WeekPreviewCardProps = {
  calendar: Calendar
  week: AvailabilityResponse
  /** Renders the question why a time is missing, for the shown appointment type; null on a calendar without types. */
  renderTimeQuestion: (type: AvailabilityResponse['appointment_types'][number] | null) => ReactNode
}

const WEEK_DAYS = 7

/**
 * Shows the available times, seven days at a time. They are calculated by the same code as on the booking page. Source: rule T29.
 */
export function WeekPreviewCard({ calendar, week, renderTimeQuestion }: WeekPreviewCardProps) {
  const nowIso = new Date().toISOString()
  const today = localDateOf(nowIso, calendar.timezone)
  const [weeksAhead, setWeeksAhead] = useState(0)
  const [chosenId, setChosenId] = useState<string | null>(null)
  const types = week.appointment_types
  // If types exist, customers must choose one, so the preview needs one too. The chosen type may have been deleted meanwhile.
  const type = types.find(({ id }) => id === chosenId) ?? types[0] ?? null
  const from = addDays(today, weeksAhead * WEEK_DAYS)
  const query = useQuery(availabilityPreviewQuery(calendar.id, from, type?.id ?? null))
  const { data, isPlaceholderData } = query
  const { data: specialDays = [] } = useQuery(specialDaysQuery(calendar.id))
  const isTooLong = type !== null && type.duration > week.max_appointment_duration_minutes
  const isEmpty = data?.days.every(({ slots }) => slots.length === 0) === true
  return (
    <Card
      title="What customers see"
      description={`The times your booking page offers, in ${formatZone(calendar.timezone, nowIso)}.`}
    >
      <div className="mb-4 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        {type === null ? (
          <p className="text-ink-soft">30 minutes each, until you add appointment types.</p>
        ) : (
          <Select
            label="Appointment type"
            options={types.map(({ id, name, duration }) => ({
              value: id,
              label: `${wrapInBidiIsolates(name)} (${duration} min)`,
            }))}
            value={type.id}
            onChange={setChosenId}
            className="w-full sm:w-80"
          />
        )}
        <div className="flex items-center gap-1 max-sm:w-full max-sm:justify-between">
          <Button
            variant="ghost"
            aria-label="Previous seven days"
            disabled={weeksAhead === 0}
            onClick={() => setWeeksAhead(weeksAhead - 1)}
            className="w-11 px-0! disabled:border-transparent disabled:bg-transparent"
          >
            <ChevronLeft aria-hidden="true" className="size-5" />
          </Button>
          <p aria-live="polite" className="min-w-44 text-center font-medium tabular-nums">
            {formatSpan(from, addDays(from, WEEK_DAYS - 1))}
          </p>
          <Button
            variant="ghost"
            aria-label="Next seven days"
            disabled={weeksAhead >= LAST_WEEK}
            onClick={() => setWeeksAhead(weeksAhead + 1)}
            className="w-11 px-0! disabled:border-transparent disabled:bg-transparent"
          >
            <ChevronRight aria-hidden="true" className="size-5" />
          </Button>
        </div>
      </div>
      <LoadStatus query={query} loading="Loading the preview..." failed="Failed to load the preview">
        <PreviewPlaceholder />
      </LoadStatus>
      {data !== undefined && (
        <div className={classNames('transition-opacity', isPlaceholderData && 'opacity-50')}>
          {isEmpty && (
            <p role="status" className="mb-3 rounded-control bg-sunken p-4 text-center text-ink-soft">
              {isTooLong
                ? `${type.name} takes ${type.duration} minutes, but the longest appointment is ${week.max_appointment_duration_minutes}, so it has no times.`
                : 'No times in these seven days.'}
            </p>
          )}
          <PreviewTimetable
            preview={data}
            availability={week.availability}
            specialDays={specialDays}
            today={today}
          />
          {!isEmpty && <PreviewLegend />}
        </div>
      )}
      {renderTimeQuestion(type)}
    </Card>
  )
}

/** Formats a range of dates: `Nov 21 – Nov 27, 2026`. Includes both years if they differ. */
function formatSpan(from: string, to: string): string {
  const isOneYear = from.slice(0, 4) === to.slice(0, 4)
  return `${isOneYear ? formatMonthDay(from) : formatShortDate(from)} – ${formatShortDate(to)}`
}

/** Maximum number of weeks ahead that the preview shows. Customers can book up to two years ahead. */
const LAST_WEEK = 104

/** The placeholder of the timetable. */
function PreviewPlaceholder() {
  return (
    <>
      <div className="divide-y divide-line @2xl:hidden">
        <RepeatedPlaceholder count={WEEK_DAYS}>
          <div className="py-3">
            <LinePlaceholder className="w-28" />
            <LinePlaceholder className="w-full" />
            <LinePlaceholder className="w-3/4" />
          </div>
        </RepeatedPlaceholder>
      </div>
      <div className="hidden @2xl:block">
        <div className="ms-13 grid h-19 grid-cols-7">
          <RepeatedPlaceholder count={WEEK_DAYS}>
            <div className="grid justify-items-center border-s border-line pb-2">
              <LinePlaceholder className="w-10" />
              <LinePlaceholder size="sm" className="w-12" />
            </div>
          </RepeatedPlaceholder>
        </div>
        <RepeatedPlaceholder count={OPEN_HOURS}>
          <div className="h-7 border-t border-line">
            <LinePlaceholder size="sm" className="w-10" />
          </div>
        </RepeatedPlaceholder>
      </div>
      <LinePlaceholder size="sm" className="w-72" />
    </>
  )
}

/** Number of hours in the placeholder: from nine to five. */
const OPEN_HOURS = 8
