import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef } from 'react'
import type { AppointmentTime } from '#contract/owner-booking.ts'
import { CONCERN_SENTENCES } from '#contract/owner-booking-problems.ts'
import { PROBLEMS } from '#contract/problem.ts'
import { formatClock } from '#web/shared/format-clock.ts'
import {
  formatDateFrom,
  formatTime,
  formatZone,
  localDateOf,
  zoneAbbreviation,
} from '#web/shared/format-date.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { type AskedTime, judgedTimeQuery } from './owner-booking-queries.ts'
import { type TimeAnswer, todayIn } from './use-new-appointment.ts'

type TimeVerdictProps = {
  calendarId: string
  asked: AskedTime | null
  /** What the server said when the chosen time was to be booked. */
  answer: TimeAnswer | null
  pending: boolean
  onBookAnyway: () => void
}

/** The chosen time in words, what stands against it, and the question whether to book it all the same. */
export function TimeVerdict({ calendarId, asked, answer, pending, onBookAnyway }: TimeVerdictProps) {
  const { data: judged } = useQuery(judgedTimeQuery(calendarId, asked))
  const said = useRef<HTMLDivElement>(null)
  // It scrolls into view and is read, but does not focus the button: a second press of Enter must not say yes.
  useEffect(() => {
    if (answer !== null) said.current?.focus()
  }, [answer])
  return (
    <div className="flex flex-col gap-3">
      <div role="status">
        {judged !== undefined && asked !== null && <Spoken judged={judged} typed={asked.time} />}
      </div>
      {answer !== null && (
        <div ref={said} tabIndex={-1} className="scroll-m-4 rounded-control">
          <Notice
            tone={answer.isQuestion ? 'warning' : 'danger'}
            role="alert"
            action={
              answer.isQuestion && (
                <Button pending={pending} pendingLabel="Booking..." onClick={onBookAnyway}>
                  Book anyway
                </Button>
              )
            }
          >
            {answer.sentence}
          </Notice>
        </div>
      )}
      {answer === null && judged !== undefined && asked !== null && <Concerns judged={judged} />}
    </div>
  )
}

/** `Tuesday, January 5 · 9:00 AM – 9:30 AM, London time (GMT)`, and how an ambiguous time was read. */
function Spoken({ judged, typed }: { judged: AppointmentTime; typed: string }) {
  const { starts_at, ends_at, time_zone, reading } = judged
  const start = formatTime(starts_at, time_zone)
  return (
    <>
      <p className="font-semibold">
        {formatDateFrom(todayIn(time_zone), localDateOf(starts_at, time_zone))} ·{' '}
        <span className="whitespace-nowrap">
          {start} – {formatTime(ends_at, time_zone)}
        </span>
        <span className="block text-sm font-normal text-ink-soft">{formatZone(time_zone, starts_at)}</span>
      </p>
      {reading === 'skipped' && typed !== '' && (
        <p className="mt-1 text-sm">
          {formatClock(typed)} does not exist on this day, because the clocks go forward. It is read as{' '}
          {start}.
        </p>
      )}
      {reading === 'repeated' && (
        <p className="mt-1 text-sm">
          {start} comes twice on this day, because the clocks go back. It is read as the first,{' '}
          {zoneAbbreviation(time_zone, starts_at)}.
        </p>
      )}
    </>
  )
}

const OBSTACLES: Readonly<Record<Exclude<AppointmentTime['standing'], 'free'>, string>> = {
  busy: PROBLEMS['booking.slot_unavailable'].title,
  location_taken: PROBLEMS['booking.location_conflict'].title,
  too_long_ago: PROBLEMS['booking.too_long_ago'].title,
  too_far_ahead: PROBLEMS['booking.too_far_ahead'].title,
}

/** What can be said before anything is sent. */
function Concerns({ judged }: { judged: AppointmentTime }): ReactNode {
  if (judged.external_event !== null) {
    return <Notice tone="danger">{describeExternalEvent(judged.external_event)}</Notice>
  }
  if (judged.standing !== 'free') return <Notice tone="danger">{OBSTACLES[judged.standing]}</Notice>
  if (judged.concerns.length === 0) return null
  return (
    <Notice tone="warning">{judged.concerns.map((concern) => CONCERN_SENTENCES[concern]).join(' ')}</Notice>
  )
}

/** Names the source of busy time to the owner. Source: rule G23. */
function describeExternalEvent({
  title,
  calendar_name,
}: NonNullable<AppointmentTime['external_event']>): string {
  return `This time is taken by ${title === null ? 'an event' : `“${title}”`} in your calendar “${calendar_name}”.`
}
