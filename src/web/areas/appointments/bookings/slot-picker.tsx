import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { formatDateHeading } from '#web/shared/format-date.ts'
import { SlotButtons } from '#web/shared/slot-buttons.tsx'
import { Button } from '#web/ui/button.tsx'
import { FieldNotes } from '#web/ui/field-frame.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { FirstTimes } from './first-times.tsx'
import { TimesMessage } from './times-message.tsx'
import { dayTimesQuery, type TimesQuestion } from './times-queries.ts'

type SlotPickerProps = {
  question: TimesQuestion
  date: string
  /** Start of the chosen time, or null when none is chosen. */
  startsAt: string | null
  error: string | undefined
  /** One of the first free times was chosen: a day without any leads on to them. */
  onFirst: (startsAt: string) => void
  onTime: (startsAt: string) => void
  /** The chosen time is no longer among the free ones. */
  onGone: (startsAt: string) => void
}

/** The free times of one day, with the texts for loading, none and a failure. Source: rule W9. */
export function SlotPicker({ question, date, startsAt, error, onFirst, onTime, onGone }: SlotPickerProps) {
  const { data, error: failure, isPending, isFetching, refetch } = useQuery(dayTimesQuery(question, date))
  const gone = data === undefined || data.some((slot) => slot.starts_at === startsAt) ? null : startsAt
  useEffect(() => {
    if (gone !== null) onGone(gone)
  }, [gone, onGone])
  return (
    <>
      <div role="status">
        {isPending && (
          <TimesMessage>
            <Spinner /> Loading available times...
          </TimesMessage>
        )}
        {data?.length === 0 && <TimesMessage>No available times for this date</TimesMessage>}
        {data?.[0] && (
          <span className="sr-only">
            {data.length} available {data.length === 1 ? 'time' : 'times'} on {formatDateHeading(date)}
          </span>
        )}
      </div>
      {failure !== null && data === undefined && (
        <Notice
          tone="danger"
          role="alert"
          action={
            <Button size="sm" pending={isFetching} onClick={() => refetch()}>
              Try again
            </Button>
          }
        >
          {failure.message}
        </Notice>
      )}
      {data?.length === 0 && (
        <div className="mt-4">
          <FirstTimes question={question} onSelect={onFirst} />
        </div>
      )}
      <SlotButtons slots={data ?? []} timeZone={question.shownZone} selected={startsAt} onSelect={onTime} />
      <div className="mt-1.5">
        <FieldNotes id="time" error={error} />
      </div>
    </>
  )
}
