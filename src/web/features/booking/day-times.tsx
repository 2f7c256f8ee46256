import type { Slot } from '#contract/slots.ts'
import { formatDateHeading } from '#web/shared/format-date.ts'
import { SlotButtons } from '#web/shared/slot-buttons.tsx'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { TimesMessage } from './times-message.tsx'

type DayTimesProps = {
  date: string
  /** The times that can be chosen; undefined until they are known. */
  slots: readonly Slot[] | undefined
  /** The question for the times; its failure counts only while no times are known. */
  asked: {
    readonly error: Error | null
    readonly isFetching: boolean
    readonly refetch: () => unknown
  }
  /** The zone of the times. */
  timeZone: string
  /** Start of the chosen time, or null when none is chosen. */
  selected: string | null
  onSelect: (startsAt: string) => void
}

/** The times of one day to choose one from, with the texts for loading, none and a failure. Source: rule W9. */
export function DayTimes({ date, slots, asked, timeZone, selected, onSelect }: DayTimesProps) {
  const { error, isFetching, refetch } = asked
  return (
    <>
      <div role="status">
        {slots === undefined && error === null && (
          <TimesMessage>
            <Spinner /> Loading available times...
          </TimesMessage>
        )}
        {slots?.length === 0 && <TimesMessage>No available times for this date</TimesMessage>}
        {slots !== undefined && slots.length > 0 && (
          <span className="sr-only">
            {slots.length} available {slots.length === 1 ? 'time' : 'times'} on {formatDateHeading(date)}
          </span>
        )}
      </div>
      {slots === undefined && error !== null && (
        <Notice
          tone="danger"
          role="alert"
          action={
            <Button size="sm" pending={isFetching} onClick={() => refetch()}>
              Try again
            </Button>
          }
        >
          {error.message}
        </Notice>
      )}
      <SlotButtons slots={slots ?? []} timeZone={timeZone} selected={selected} onSelect={onSelect} />
    </>
  )
}
