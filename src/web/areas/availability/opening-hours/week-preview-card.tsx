import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { AvailabilityResponse } from '#contract/availability/opening-hours.ts'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { wrapInBidiIsolates } from '#core/shared/text.ts'
import { addDays } from '#core/shared/zoned-time.ts'
import { LoadStatus } from '#web/kit/load-status.tsx'
import { LinePlaceholder, RepeatedPlaceholder } from '#web/kit/loading-shape.tsx'
import { formatZone, localDateOf } from '#web/shared/format-date.ts'
import { Card } from '#web/ui/card.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Select } from '#web/ui/select.tsx'
import { availabilityPreviewQuery, specialDaysQuery } from './availability-queries.ts'
import { PreviewLegend, PreviewTimetable } from './preview-timetable.tsx'
import { WEEK_DAYS, WeekSteps } from './week-steps.tsx'

export type WeekPreviewCardProps = {
  calendar: Calendar
  week: AvailabilityResponse
  /** Renders the question why a time is missing, for the shown appointment type; null on a calendar without types. */
  renderTimeQuestion: (type: AvailabilityResponse['appointment_types'][number] | null) => ReactNode
}

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
        <WeekSteps
          from={from}
          weeksAhead={weeksAhead}
          onChange={setWeeksAhead}
          className="max-sm:w-full max-sm:justify-between"
        />
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
