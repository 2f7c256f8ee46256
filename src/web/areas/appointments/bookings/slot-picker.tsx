import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { formatDateHeading } from '#web/shared/format-date.ts'
import { SlotButtons } from '#web/shared/slot-buttons.tsx'
import { FieldNotes } from '#web/ui/field-frame.tsx'
import { FirstAvailableTimes } from './first-times.tsx'
import { LoadingTimes, RetryNotice, TimesMessage } from './times-message.tsx'
import { type AvailableTimesRequest, timesOfDayQuery } from './times-queries.ts'

type SlotPickerProps = {
  request: AvailableTimesRequest
  date: string
  /** The start of the chosen time; null if no time is chosen. */
  startsAt: string | null
  error: string | undefined
  /** Called when the customer chooses one of the next free times, which are offered if the day has no free times. */
  onFirst: (startsAt: string) => void
  onTime: (startsAt: string) => void
  /** Called when the chosen time is no longer free. */
  onGone: (startsAt: string) => void
}

/** Lets the customer choose a free time of one day. Covers the loading, empty and error states. Source: rule W9. */
export function TimeOfDaySelection({
  request,
  date,
  startsAt,
  error,
  onFirst,
  onTime,
  onGone,
}: SlotPickerProps) {
  const { data, error: failure, isPending, isFetching, refetch } = useQuery(timesOfDayQuery(request, date))
  const slots = data?.slots
  const gone = slots === undefined || slots.some((slot) => slot.starts_at === startsAt) ? null : startsAt
  useEffect(() => {
    if (gone !== null) onGone(gone)
  }, [gone, onGone])
  return (
    <>
      <div role="status">
        {isPending && <LoadingTimes />}
        {slots?.length === 0 && (
          <TimesMessage>{data?.note ?? 'No available times for this date'}</TimesMessage>
        )}
        {slots?.[0] && (
          <span className="sr-only">
            {slots.length} available {slots.length === 1 ? 'time' : 'times'} on {formatDateHeading(date)}
          </span>
        )}
      </div>
      {failure !== null && slots === undefined && (
        <RetryNotice isFetching={isFetching} refetch={refetch}>
          {failure.message}
        </RetryNotice>
      )}
      {slots?.length === 0 && (
        <div className="mt-4">
          <FirstAvailableTimes request={request} onSelect={onFirst} />
        </div>
      )}
      <SlotButtons
        slots={slots ?? []}
        timeZone={request.shownZone}
        hourCycle={request.hourCycle}
        selected={startsAt}
        onSelect={onTime}
      />
      <div className="mt-1.5">
        <FieldNotes id="time" error={error} />
      </div>
    </>
  )
}
