import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { FieldNotes } from '#web/ui/field-frame.tsx'
import { DayTimes } from './day-times.tsx'
import { dayTimesQuery, type TimesQuestion } from './times-queries.ts'

type SlotPickerProps = {
  question: TimesQuestion
  date: string
  /** Start of the chosen time, or null when none is chosen. */
  selected: string | null
  error: string | undefined
  onSelect: (startsAt: string) => void
  /** The chosen time is no longer among the free ones. */
  onGone: (startsAt: string) => void
}

/** The free times of one day in the form of a booking. */
export function SlotPicker({ question, date, selected, error, onSelect, onGone }: SlotPickerProps) {
  const { data, error: failure, isFetching, refetch } = useQuery(dayTimesQuery(question, date))
  const isGone = selected !== null && data !== undefined && !data.some((slot) => slot.starts_at === selected)
  useEffect(() => {
    if (isGone && selected !== null) onGone(selected)
  }, [isGone, selected, onGone])
  return (
    <>
      <DayTimes
        {...{ date, selected, onSelect }}
        slots={data}
        asked={{ error: failure, isFetching, refetch }}
        timeZone={question.shownZone}
      />
      <div className="mt-1.5">
        <FieldNotes id="time" error={error} />
      </div>
    </>
  )
}
