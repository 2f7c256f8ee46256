import { useState } from 'react'
import type { PublicAppointmentType } from '#contract/availability/appointment-types.ts'
import type { Slot } from '#contract/slots/slots.ts'
import { addDays } from '#core/shared/calendar-date.ts'
import { DEFAULT_HOUR_CYCLE } from '#core/shared/hour-cycle.ts'
import { accentStyle } from '#web/areas/appointments/bookings/accent-style.ts'
import { shownWeeksOf } from '#web/areas/appointments/bookings/bookable-dates.ts'
import type { BookingDraft } from '#web/areas/appointments/bookings/booking-draft.ts'
import { FiveWeekCalendar } from '#web/areas/appointments/bookings/five-week-calendar.tsx'
import { TimesMessage } from '#web/areas/appointments/bookings/times-message.tsx'
import { ServiceSelection } from '#web/areas/appointments/bookings/type-choice.tsx'
import { formatDateHeading } from '#web/shared/format-date.ts'
import { SlotButtons } from '#web/shared/slot-buttons.tsx'
import { listSampleDayMarks, SAMPLE_APPOINTMENT_TYPES, SAMPLE_PRACTICE } from './sample-practice.ts'

type SampleTimesProps = {
  draft: BookingDraft
  type: PublicAppointmentType
  /** The free times of the chosen day. */
  slots: readonly Slot[]
  today: string
  nowMs: number
  timeZone: string
  onType: (typeId: string) => void
  onDate: (date: string) => void
  onTime: (startsAt: string) => void
}

/** Maximum number of days ahead that the sample can be booked. */
const MAX_DAYS_AHEAD = 90

/** The first step: lets visitors choose the service, day and time, as on the booking page. */
export function SampleTimes({ draft, type, slots, today, nowMs, timeZone, ...on }: SampleTimesProps) {
  const [shownDate, setShownDate] = useState(draft.date ?? today)
  const lastDate = addDays(today, MAX_DAYS_AHEAD)
  const { start, from, to } = shownWeeksOf(shownDate, { today, lastDate })
  return (
    <div
      style={accentStyle(SAMPLE_PRACTICE.color)}
      className="grid gap-x-8 gap-y-6 lg:grid-cols-[16.5rem_1fr_1fr]"
    >
      <ServiceSelection
        types={SAMPLE_APPOINTMENT_TYPES}
        chosen={type}
        error={undefined}
        onChoose={on.onType}
      />
      <FiveWeekCalendar
        start={start}
        onShow={setShownDate}
        selected={draft.date}
        onSelect={on.onDate}
        today={today}
        lastDate={lastDate}
        marks={listSampleDayMarks(from, to, type.duration, nowMs)}
      />
      <section aria-labelledby="sample-times">
        <h3 id="sample-times" data-step tabIndex={-1} className="rounded-sm text-lg">
          Available Times
        </h3>
        <p className="mb-3 text-ink-soft">{draft.date !== null && formatDateHeading(draft.date)}</p>
        {slots.length === 0 && <TimesMessage>No available times for this date</TimesMessage>}
        <SlotButtons
          slots={slots}
          timeZone={timeZone}
          hourCycle={DEFAULT_HOUR_CYCLE}
          selected={draft.startsAt}
          onSelect={on.onTime}
        />
      </section>
    </div>
  )
}
