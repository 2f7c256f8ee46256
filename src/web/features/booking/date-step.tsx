import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { FARTHEST_DAYS } from '#core/scheduling/farthest-days.ts'
import { DAY_MS } from '#core/shared/duration.ts'
import { formatDateHeading, formatTime, localDateOf } from '#web/shared/format-date.ts'
import { FieldNotes } from '#web/ui/field-frame.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { useHydrated } from '#web/ui/use-hydrated.ts'
import type { BookingDraft, ZoneChoice as Choice, DraftErrors } from './booking-draft.ts'
import { bringIntoView } from './bring-into-view.ts'
import { MonthCalendar, monthName } from './month-calendar.tsx'
import { lastDateOf, monthOf } from './month-grid.ts'
import type { Zones } from './shown-zone.ts'
import { SlotPicker } from './slot-picker.tsx'
import { MonthPlaceholder, ZonePlaceholder } from './step-placeholders.tsx'
import { TimesMessage } from './times-message.tsx'
import { dayMarksQuery, type TimesQuestion } from './times-queries.ts'
import { ZoneChoice } from './zone-choice.tsx'

type DateStepProps = {
  draft: BookingDraft
  question: TimesQuestion
  /** The calendar has types and none is chosen yet: its times depend on it. */
  needsType: boolean
  zones: Zones
  zone: Choice
  errors: DraftErrors
  /** A time that was chosen and is gone meanwhile. */
  goneAt: string | null
  onZone: (zone: Choice) => void
  onDate: (date: string) => void
  onTime: (startsAt: string) => void
  onGone: (startsAt: string) => void
}

/** 'Select a Date & Time': the month, and the free times of the chosen day. Source: rule W9. */
export function DateStep({ draft, question, needsType, zones, zone, errors, goneAt, ...on }: DateStepProps) {
  const { date, startsAt } = draft
  const hydrated = useHydrated()
  const { shownZone } = question
  const now = Date.now()
  const farthest = now + FARTHEST_DAYS * DAY_MS
  const today = localDateOf(new Date(now).toISOString(), shownZone)
  const lastDate = localDateOf(new Date(farthest).toISOString(), shownZone)
  const [month, setMonth] = useState(monthOf(date ?? today))
  const times = useRef<HTMLElement>(null)
  useEffect(() => {
    if (date !== null) setMonth(monthOf(date))
  }, [date])

  const { from, to } = bookableDays(month, today, lastDate)
  const { data: marks = {} } = useQuery({ ...dayMarksQuery(question, from, to), enabled: !needsType })
  const known = Object.values(marks)
  const hasFullDay = known.includes('full')
  const isMonthFull = hasFullDay && !known.includes('free')
  const choose = (chosen: string) => {
    on.onDate(chosen)
    if (marks[chosen] !== 'full') bringIntoView(times.current)
  }

  return (
    <section aria-labelledby="date-step">
      <h2 id="date-step" className="mb-3 text-xl">
        Select a Date & Time
      </h2>
      {hydrated ? (
        <ZoneChoice
          zones={zones}
          chosen={zone}
          atIso={startsAt ?? noonOf(date ?? today)}
          onChoose={on.onZone}
        />
      ) : (
        <ZonePlaceholder />
      )}
      <div className="mt-4 grid gap-x-8 gap-y-6 md:grid-cols-2">
        <div>
          {hydrated ? (
            <MonthCalendar
              key={shownZone}
              month={month}
              onMonthChange={setMonth}
              selected={date}
              onSelect={choose}
              today={today}
              lastDate={lastDate}
              marks={marks}
              describedBy={errors.date === undefined ? undefined : 'date-error'}
            />
          ) : (
            <MonthPlaceholder />
          )}
          <div role="status" className="mt-1 text-sm text-ink-soft">
            {isMonthFull && `Nothing is free in ${monthName(month)}. Please try another month.`}
          </div>
          {hasFullDay && !isMonthFull && (
            <p aria-hidden="true" className="mt-2 text-sm text-ink-soft">
              Days that are <span className="line-through">crossed out</span> have no available times.
            </p>
          )}
          <FieldNotes id="date" error={errors.date} />
        </div>
        <section ref={times} aria-labelledby="times" className="scroll-mt-4">
          <h3 id="times" data-focus="time" tabIndex={-1} className="scroll-mt-4 rounded-sm text-lg">
            Available Times
          </h3>
          <p className="mb-3 text-ink-soft empty:hidden">{timesOf(date, needsType)}</p>
          <div role="status" className={goneAt === null ? '' : 'mb-3'}>
            {goneAt !== null && (
              <Notice tone="warning">
                {formatTime(goneAt, shownZone)} is no longer free. Please choose another time.
              </Notice>
            )}
          </div>
          {needsType ? (
            <TimesMessage>Please select an appointment type first to see available times</TimesMessage>
          ) : (
            date !== null && (
              <SlotPicker
                question={question}
                date={date}
                selected={startsAt}
                error={errors.time}
                onSelect={on.onTime}
                onGone={on.onGone}
              />
            )
          )}
        </section>
      </div>
    </section>
  )
}

/** The days of a month that may be chosen. */
function bookableDays(month: string, today: string, lastDate: string): { from: string; to: string } {
  return {
    from: month === monthOf(today) ? today : `${month}-01`,
    to: month === monthOf(lastDate) ? lastDate : lastDateOf(month),
  }
}

/** An instant on a day, for the abbreviation that holds on it; clocks change at night. */
function noonOf(date: string): string {
  return `${date}T12:00:00Z`
}

/** The listed times; where none can be listed, it asks for the next step. */
function timesOf(date: string | null, needsType: boolean): string {
  if (date !== null) return formatDateHeading(date)
  return needsType ? '' : 'Choose a date first.'
}
