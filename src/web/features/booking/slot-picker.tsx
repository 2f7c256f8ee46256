import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { formatDateHeading } from '#web/shared/format-date.ts'
import { Button } from '#web/ui/button.tsx'
import { FieldNotes } from '#web/ui/field-frame.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { groupSlots, type PartOfDay } from './slot-groups.ts'
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

/** The free times of one day. Owns its loading, empty and failure texts. */
export function SlotPicker({ question, date, selected, error, onSelect, onGone }: SlotPickerProps) {
  const { data, error: failure, isPending, isFetching, refetch } = useQuery(dayTimesQuery(question, date))
  const isGone = selected !== null && data !== undefined && !data.some((slot) => slot.starts_at === selected)
  useEffect(() => {
    if (isGone && selected !== null) onGone(selected)
  }, [isGone, selected, onGone])
  const groups = data === undefined ? [] : groupSlots(data, question.shownZone)
  return (
    <>
      <div role="status">
        {isPending && (
          <TimesMessage>
            <Spinner /> Loading available times...
          </TimesMessage>
        )}
        {data?.length === 0 && <TimesMessage>No available times for this date</TimesMessage>}
        {data !== undefined && data.length > 0 && (
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
      <div className="grid gap-4">
        {groups.map(({ part, slots }) => (
          <fieldset key={part}>
            <legend className="mb-2 flex items-center gap-2 text-sm font-semibold text-ink-soft">
              <span aria-hidden="true" className={`h-3 w-5 rounded-full ${PART_COLORS[part]}`} />
              {part}
            </legend>
            <div className="grid grid-cols-2 gap-2 sm:grid-cols-3">
              {slots.map(({ startsAt, label }) => (
                <button
                  key={startsAt}
                  type="button"
                  aria-pressed={startsAt === selected}
                  onClick={() => onSelect(startsAt)}
                  className="min-h-11 rounded-control border border-line-strong bg-surface px-1 py-2 font-medium tabular-nums transition-colors hover:border-ink hover:bg-sunken aria-pressed:border-ink aria-pressed:bg-ink aria-pressed:text-on-ink"
                >
                  {label}
                </button>
              ))}
            </div>
          </fieldset>
        ))}
      </div>
      <div className="mt-1.5">
        <FieldNotes id="time" error={error} />
      </div>
    </>
  )
}

/** A line where the times would be. */
export function TimesMessage({ children }: { children: ReactNode }) {
  return (
    <p className="flex min-h-24 items-center justify-center gap-2 rounded-control bg-sunken p-4 text-center text-ink-soft">
      {children}
    </p>
  )
}

const PART_COLORS: Readonly<Record<PartOfDay, string>> = {
  Morning: 'bg-dawn',
  Afternoon: 'bg-day',
  Evening: 'bg-dusk',
}
