import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type UseFormReturn, useWatch } from 'react-hook-form'
import {
  type AppointmentTypeBody,
  appointmentTypePreviewBody,
} from '#contract/availability/appointment-types.ts'
import type { AvailabilityPreview } from '#contract/availability/opening-hours.ts'
import * as at from '#contract/operations/addresses.ts'
import type { HourCycle } from '#core/shared/hour-cycle.ts'
import { addDays } from '#core/shared/zoned-time.ts'
import { groupByHour } from '#web/areas/availability/opening-hours/preview-timetable.tsx'
import { WEEK_DAYS, WeekSteps } from '#web/areas/availability/opening-hours/week-steps.tsx'
import { availabilityKey } from '#web/kit/availability-query.ts'
import { retryOnce } from '#web/kit/retry-once.ts'
import { useDebounced } from '#web/kit/use-debounced.ts'
import { callApi } from '#web/shared/call-api.ts'
import { formatShortDay, todayIn } from '#web/shared/format-date.ts'
import type { AppointmentTypeForm } from './use-appointment-type-form.ts'

type TypePreviewProps = {
  form: UseFormReturn<AppointmentTypeForm, unknown, AppointmentTypeBody>
  calendarId: string
  timeZone: string
  hourCycle: HourCycle
  /** The type to edit; undefined for a new one. */
  typeId: string | undefined
}

/**
 * Shows the times that customers would see in seven days with the rules in the form, before they are saved. While a rule is
 * invalid or refused, the last week stays. Source: rule T71.
 */
export function TypePreview({ form, calendarId, timeZone, hourCycle, typeId }: TypePreviewProps) {
  const [weeksAhead, setWeeksAhead] = useState(0)
  const from = addDays(todayIn(timeZone), weeksAhead * WEEK_DAYS)
  const values = useWatch({ control: form.control })
  const rules = appointmentTypePreviewBody.safeParse({ ...values, appointment_type_id: typeId, from })
  const body = useDebounced(rules.success ? JSON.stringify(rules.data) : '')
  const { data, error } = useQuery({
    queryKey: [...availabilityKey(calendarId), 'type-preview', body],
    queryFn: ({ signal }) =>
      callApi(at.previewAppointmentType, { params: { id: calendarId }, body: JSON.parse(body), signal }),
    enabled: body !== '',
    retry: retryOnce,
  })
  const [week, setWeek] = useState(data)
  if (data !== undefined && data !== week) setWeek(data)
  const isEmpty = data?.days.every(({ slots }) => slots.length === 0) === true
  return (
    <section
      aria-labelledby="type-preview"
      className="flex flex-col gap-2 rounded-control bg-sunken px-4 py-3"
    >
      <h3 id="type-preview" className="font-sans text-base font-semibold tracking-normal">
        What customers would see
      </h3>
      <WeekSteps from={from} weeksAhead={weeksAhead} onChange={setWeeksAhead} className="justify-between" />
      {/* Always rendered, so that screen readers announce a sentence that appears while the owner types. */}
      <p role="status" className="text-sm text-ink-soft empty:hidden">
        {!rules.success && 'A rule isn’t valid yet. The times stay as they were.'}
        {rules.success && error?.message}
        {rules.success && isEmpty && 'No times in these seven days.'}
      </p>
      {week !== undefined && <Days week={week} hourCycle={hourCycle} />}
    </section>
  )
}

function Days({ week, hourCycle }: { week: AvailabilityPreview; hourCycle: HourCycle }) {
  return (
    <ol aria-label="Offered times" className="divide-y divide-line text-sm">
      {week.days.map(({ date, slots }) => {
        const labels = groupByHour(slots, week.time_zone, hourCycle).flatMap(({ times }) =>
          times.map(({ label }) => label),
        )
        return (
          <li key={date} aria-label={formatShortDay(date)}>
            {labels.length === 0 ? (
              <p className="flex justify-between gap-3 py-2.5 ps-4 text-ink-soft">
                <span>{formatShortDay(date)}</span>
                <span>No times</span>
              </p>
            ) : (
              <details name="type-preview">
                <summary className="rounded-control py-2.5 tabular-nums">
                  <span className="inline-flex w-[calc(100%-1rem)] flex-wrap justify-between gap-x-3">
                    <span className="font-medium">{formatShortDay(date)}</span>
                    <span>{summarize(labels)}</span>
                  </span>
                </summary>
                <ul className="flex flex-wrap gap-x-3 gap-y-1 ps-4 pb-3 text-ink-soft tabular-nums">
                  {labels.map((label) => (
                    <li key={label}>{label}</li>
                  ))}
                </ul>
              </details>
            )}
          </li>
        )
      })}
    </ol>
  )
}

/** `9:00 AM – 4:00 PM · 15 times` */
function summarize(labels: readonly string[]): string {
  return labels.length === 1
    ? `${labels[0]} · 1 time`
    : `${labels[0]} – ${labels.at(-1)} · ${labels.length} times`
}
