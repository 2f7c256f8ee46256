import { formatDateHeading, formatTime } from '#web/shared/format-date.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { FirstAvailableTimes } from './first-times.tsx'
import { TimeOfDaySelection } from './slot-picker.tsx'
import { TimesMessage } from './times-message.tsx'
import type { AvailableTimesRequest } from './times-queries.ts'
import type { GoneTime } from './use-booking-form.ts'

type TimesSectionProps = {
  request: AvailableTimesRequest
  /** True if the customer has to choose an appointment type first, because the times depend on it. */
  needsType: boolean
  date: string | null
  startsAt: string | null
  error: string | undefined
  /** The time that the customer chose if somebody else has taken it since; otherwise null. */
  goneAt: GoneTime | null
  /** True to show the next free times here until a day is chosen. */
  offersFirst: boolean
  onFirst: (startsAt: string) => void
  onTime: (startsAt: string) => void
  onGone: (startsAt: string) => void
}

/** The section "Available Times": shows the chosen day's times, or tells the customer what to choose first. Source: rule W9. */
export function TimesSection({ request, needsType, date, goneAt, ...props }: TimesSectionProps) {
  return (
    <section aria-labelledby="times">
      <h3 id="times" data-focus="time" tabIndex={-1} className="scroll-mt-20 rounded-sm text-lg">
        Available Times
      </h3>
      <div className="mb-3 text-ink-soft empty:hidden">
        {date === null ? !needsType && !props.offersFirst && 'Choose a date first.' : formatDateHeading(date)}
      </div>
      <div role="status" className="not-empty:mb-3">
        {goneAt !== null && (
          <Notice tone="warning">
            {goneAt.reason ??
              `${formatTime(goneAt.startsAt, request.shownZone, request.hourCycle)} is no longer free. Please choose another time.`}
          </Notice>
        )}
      </div>
      {needsType ? (
        <TimesMessage>Please select an appointment type first to see available times</TimesMessage>
      ) : date === null ? (
        props.offersFirst && <FirstAvailableTimes request={request} onSelect={props.onFirst} />
      ) : (
        <TimeOfDaySelection {...props} request={request} date={date} />
      )}
      {!needsType && (
        <Button
          variant="ghost"
          onClick={() => import('./waiting-request.tsx').then((part) => part.openWaitingRequest(request))}
        >
          Can’t find a time? Join the waiting list
        </Button>
      )}
    </section>
  )
}
