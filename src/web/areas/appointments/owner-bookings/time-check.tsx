import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { AppointmentTimeCheck } from '#contract/appointments/owner-booking.ts'
import { isOverlapReason } from '#core/slots/explain-start.ts'
import { AmbiguousTimeNote, ConflictingAppointment, TimeWarnings } from '#web/kit/time-check-notes.tsx'
import { type RequestedTime, timeCheckQuery } from '#web/kit/time-check-query.ts'
import { formatTime, formatZone, localDateOf, todayIn } from '#web/shared/format-date.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { DayStrip } from './day-strip.tsx'
import { formatDateWithYearIfDifferent } from './format-date-with-year.ts'
import type { RefusedTime } from './use-new-appointment.ts'

type TimeCheckProps = {
  calendarId: string
  asked: RequestedTime | null
  /** The server's refusal of the chosen time. */
  answer: RefusedTime | null
  pending: boolean
  onBookAnyway: () => void
}

/** Shows the chosen time in words and warnings about it. Lets the owner book the time anyway if the server asks. */
export function TimeCheckResult({ calendarId, asked, answer, pending, onBookAnyway }: TimeCheckProps) {
  const { data: judged } = useQuery(timeCheckQuery(calendarId, asked))
  const conflict = judged?.conflicting_appointment ?? null
  const said = useRef<HTMLDivElement>(null)
  // Focus the notice, so that it is visible and announced. Do not focus its button, because pressing Enter twice must not
  // confirm.
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
            {conflict !== null && (
              <ConflictingAppointment
                appointment={conflict}
                reason={judged?.reasons.find(isOverlapReason) ?? 'busy'}
                bufferMinutes={judged?.buffer_minutes ?? null}
              />
            )}
          </Notice>
        </div>
      )}
      {answer === null && judged !== undefined && asked !== null && (
        <>
          <TimeWarnings calendarId={calendarId} judged={judged} />
          {judged.reasons.length > 0 && <DayStrip calendarId={calendarId} judged={judged} />}
        </>
      )}
    </div>
  )
}

/** Shows `Tuesday, January 5 · 9:00 AM – 9:30 AM, London time (GMT)`, and a note if the typed time is skipped or repeated. */
function Spoken({ judged, typed }: { judged: AppointmentTimeCheck; typed: string }) {
  const { starts_at, ends_at, time_zone, hour_cycle } = judged
  return (
    <>
      <p className="font-semibold">
        {formatDateWithYearIfDifferent(todayIn(time_zone), localDateOf(starts_at, time_zone))} ·{' '}
        <span className="inline-block">
          {formatTime(starts_at, time_zone, hour_cycle)} – {formatTime(ends_at, time_zone, hour_cycle)}
        </span>
        <span className="block text-sm font-normal text-ink-soft">{formatZone(time_zone, starts_at)}</span>
      </p>
      <AmbiguousTimeNote judged={judged} typed={typed} />
    </>
  )
}
