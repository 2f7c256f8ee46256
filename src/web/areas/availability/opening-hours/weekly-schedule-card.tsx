import { useState } from 'react'
import type { AvailabilityResponse } from '#contract/availability/opening-hours.ts'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { useHourCycle } from '#web/kit/hour-cycle.ts'
import { formatHour } from '#web/shared/format-clock.ts'
import { formatZone } from '#web/shared/format-date.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { AddBreakDialog, findBreakDraft } from './break-dialog.tsx'
import { CopyOpeningHoursDialog, findCopyDayDraft } from './copy-day-dialog.tsx'
import { WeekdayHoursRow } from './day-row.tsx'
import { findOpeningRangeDraft, OpeningRangeForm } from './range-form.tsx'
import { DEFAULT_OPENING_RANGE, listRangesOfDay, suggestDayToOpen, WEEKDAYS_FROM_MONDAY } from './week.ts'

type WeeklyScheduleCardProps = {
  calendar: Calendar
  week: AvailabilityResponse
  /** False when the page has a more important button. */
  hasPrimaryButton?: boolean
}

/** Lets the owner edit the weekly opening hours, in the calendar's time zone. Source: rule T1. */
export function WeeklyScheduleCard({ calendar, week, hasPrimaryButton = true }: WeeklyScheduleCardProps) {
  const [draft] = useState(() => findOpeningRangeDraft(calendar.id))
  const [addingOn, setAddingOn] = useState(draft?.inRow === true ? draft.values.day_of_week : null)
  // The day being copied is kept while the dialog closes.
  const [copyDraft] = useState(() => findCopyDayDraft(calendar.id))
  const [copiedDay, setCopiedDay] = useState(copyDraft?.from_day ?? null)
  const [copying, setCopying] = useState(copyDraft !== undefined)
  const hourCycle = useHourCycle()
  const [isAddingBreak, setAddingBreak] = useState(() => findBreakDraft(calendar.id) !== undefined)
  const { availability } = week
  const firstDay = suggestDayToOpen(availability)
  return (
    <Card
      {...weeklyScheduleHeading(calendar.timezone)}
      actions={<Button onClick={() => setAddingBreak(true)}>Add lunch break</Button>}
    >
      <div
        aria-hidden="true"
        className="hidden items-end gap-x-5 pb-1 text-sm text-ink-faint @2xl:grid @2xl:grid-cols-[6.5rem_minmax(6rem,1fr)_minmax(13.5rem,2fr)_5.5rem]"
      >
        <span className="relative col-start-2 h-5">
          <span className="absolute start-1/4 -translate-x-1/2 rtl:translate-x-1/2 whitespace-nowrap @max-4xl:hidden">
            {formatHour(6, hourCycle)}
          </span>
          <span className="absolute start-1/2 -translate-x-1/2 rtl:translate-x-1/2 font-semibold text-noon-ink">
            Noon
          </span>
          <span className="absolute start-3/4 -translate-x-1/2 rtl:translate-x-1/2 whitespace-nowrap @max-4xl:hidden">
            {formatHour(18, hourCycle)}
          </span>
        </span>
      </div>
      <ul aria-label="Days of the week" className="border-t border-line">
        {WEEKDAYS_FROM_MONDAY.map((day) => (
          <WeekdayHoursRow
            key={day}
            calendarId={calendar.id}
            day={day}
            availability={availability}
            adding={addingOn === day}
            draft={draft?.inRow === true && draft.values.day_of_week === day ? draft.values : undefined}
            onAdd={(adding) => setAddingOn(adding ? day : null)}
            onCopy={() => {
              setCopiedDay(day)
              setCopying(true)
            }}
          />
        ))}
      </ul>
      {/* Hidden instead of removed while another form is open, so that typed text is kept. */}
      <div hidden={addingOn !== null} className="mt-5 rounded-control bg-sunken p-4">
        <OpeningRangeForm
          isPrimary={hasPrimaryButton}
          calendarId={calendar.id}
          availability={availability}
          values={draft?.inRow === false ? draft.values : { day_of_week: firstDay, ...DEFAULT_OPENING_RANGE }}
        />
      </div>
      <AddBreakDialog
        calendarId={calendar.id}
        availability={availability}
        open={isAddingBreak}
        onOpenChange={setAddingBreak}
      />
      {copiedDay !== null && listRangesOfDay(availability, copiedDay).length > 0 && (
        <CopyOpeningHoursDialog
          key={copiedDay}
          calendarId={calendar.id}
          fromDay={copiedDay}
          availability={availability}
          open={copying}
          onOpenChange={setCopying}
        />
      )}
    </Card>
  )
}

/** Returns the head of the card, which is also shown while its content loads. `timeZone` is the calendar's. */
export function weeklyScheduleHeading(timeZone: string) {
  return {
    title: 'Weekly schedule',
    description: `When customers can book, every week, in ${formatZone(timeZone, new Date().toISOString())}.`,
  }
}
