import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type AppointmentTypeBody,
  type AppointmentTypePreview,
  appointmentTypePreviewBody,
} from '#contract/availability/appointment-types.ts'
import * as at from '#contract/operations/addresses.ts'
import type { HourCycle } from '#core/shared/hour-cycle.ts'
import { addDays } from '#core/shared/zoned-time.ts'
import { availabilityKey } from '#web/kit/availability-query.ts'
import { retryOnce } from '#web/kit/retry-once.ts'
import { useDebounced } from '#web/kit/use-debounced.ts'
import { callApi } from '#web/shared/call-api.ts'
import { formatMonthDay, formatShortDay, formatTime, localDateOf } from '#web/shared/format-date.ts'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { ChevronLeft } from '#web/ui/icons/chevron-left.ts'
import { ChevronRight } from '#web/ui/icons/chevron-right.ts'

const WEEK_DAYS = 7
/** Maximum number of weeks ahead that the preview shows. Customers can book up to two years ahead. */
const LAST_WEEK = 104

type TypePreviewProps = {
  calendarId: string
  timeZone: string
  hourCycle: HourCycle
  /** The type that is edited; null for a new one. */
  typeId: string | null
  /** The values of the form as typed. */
  values: Partial<Record<keyof AppointmentTypeBody, unknown>>
}

/**
 * Shows the week that customers would see with the rules in the form, which are not saved. While a rule is invalid, the last
 * week stays, with a hint. Source: rule T71.
 */
export function TypePreview({ calendarId, timeZone, hourCycle, typeId, values }: TypePreviewProps) {
  const today = localDateOf(new Date().toISOString(), timeZone)
  const [weeksAhead, setWeeksAhead] = useState(0)
  const from = addDays(today, weeksAhead * WEEK_DAYS)
  const rules = appointmentTypePreviewBody.safeParse({ ...values, appointment_type_id: typeId, from })
  const asked = useDebounced(rules.success ? JSON.stringify(rules.data) : '')
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: [...availabilityKey(calendarId), 'type-preview', asked],
    queryFn: ({ signal }) =>
      callApi(at.previewAppointmentType, {
        params: { id: calendarId },
        body: appointmentTypePreviewBody.parse(JSON.parse(asked)),
        signal,
      }),
    enabled: asked !== '',
    placeholderData: keepPreviousData,
    retry: retryOnce,
  })
  const hint = rules.success ? error?.message : 'The preview continues when the marked fields are correct.'
  return (
    <section aria-labelledby="type-preview" className="flex flex-col gap-2 rounded-control bg-sunken p-4">
      <h3 id="type-preview" className="font-sans text-base font-semibold tracking-normal">
        What customers would see
      </h3>
      <div className="flex items-center justify-between">
        <Button
          variant="ghost"
          aria-label="Previous seven days"
          disabled={weeksAhead === 0}
          onClick={() => setWeeksAhead(weeksAhead - 1)}
          className="w-11 px-0! disabled:border-transparent disabled:bg-transparent"
        >
          <ChevronLeft aria-hidden="true" className="size-5" />
        </Button>
        <p aria-live="polite" className="text-center font-medium tabular-nums">
          {formatMonthDay(from)} – {formatMonthDay(addDays(from, WEEK_DAYS - 1))}
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
      {data !== undefined && (
        <Days preview={data} hourCycle={hourCycle} isOld={isPlaceholderData || hint !== undefined} />
      )}
      <p role="status" className="text-sm text-ink-soft empty:hidden">
        {hint ??
          (data?.days.every(({ times }) => times === 0) === true ? 'No times in these seven days.' : '')}
      </p>
    </section>
  )
}

type DaysProps = {
  preview: AppointmentTypePreview
  hourCycle: HourCycle
  /** True while the days belong to other rules than those in the form. */
  isOld: boolean
}

function Days({ preview, hourCycle, isOld }: DaysProps) {
  const timeOf = (instant: string) => formatTime(instant, preview.time_zone, hourCycle)
  return (
    <ol
      aria-label="Offered times"
      className={classNames('divide-y divide-line text-sm transition-opacity', isOld && 'opacity-50')}
    >
      {preview.days.map(({ date, times, first, last }) => (
        <li key={date} className="flex flex-wrap justify-between gap-x-3 py-1.5">
          <span className="font-medium">{formatShortDay(date)}</span>
          {first === null || last === null ? (
            <span className="text-ink-soft">No times</span>
          ) : (
            <span className="tabular-nums">
              {first === last ? timeOf(first) : `${timeOf(first)} – ${timeOf(last)}`}
              <span className="text-ink-soft"> · {times === 1 ? '1 time' : `${times} times`}</span>
            </span>
          )}
        </li>
      ))}
    </ol>
  )
}
