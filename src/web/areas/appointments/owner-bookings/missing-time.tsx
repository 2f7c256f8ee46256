import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, useState } from 'react'
import { type AppointmentTimeCheck, localTimeSchema } from '#contract/appointments/owner-booking.ts'
import type { AvailabilityResponse } from '#contract/availability/opening-hours.ts'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { RETENTION_DAYS } from '#contract/shared/retention.ts'
import { wrapInBidiIsolates } from '#core/shared/text.ts'
import { addDays, isDate } from '#core/shared/zoned-time.ts'
import { MAX_DAYS_AHEAD } from '#core/slots/max-days-ahead.ts'
import { formatMoment } from '#web/kit/format-moment.ts'
import { useHourCycle } from '#web/kit/hour-cycle.ts'
import { LoadStatus } from '#web/kit/load-status.tsx'
import { RefusalItem } from '#web/kit/refusal-item.tsx'
import { AmbiguousTimeNote, TimeReasons } from '#web/kit/time-check-notes.tsx'
import { timeCheckQuery } from '#web/kit/time-check-query.ts'
import { todayIn } from '#web/shared/format-date.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextField } from '#web/ui/field.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'
import { DayStrip } from './day-strip.tsx'
import { DEFAULT_DURATION } from './new-appointment-form.ts'
import { pastTimeQuery } from './owner-booking-queries.ts'

type MissingTimeProps = {
  calendar: Calendar
  /** The appointment type to start at the time; null on a calendar without types. */
  type: AvailabilityResponse['appointment_types'][number] | null
}

/** A button that opens a dialog. There the owner enters a time and reads everything that keeps customers from booking it. */
export function MissingTimeButton({ calendar, type }: MissingTimeProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="ghost" size="sm" className="-ms-3 mt-3" onClick={() => setOpen(true)}>
        Why isn’t a time offered?
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={setOpen}
        title="Why isn’t this time offered?"
        description={type === null ? undefined : `${wrapInBidiIsolates(type.name)}, ${type.duration} minutes`}
        footer={<Button onClick={() => setOpen(false)}>Close</Button>}
      >
        <TimeQuestion calendar={calendar} typeId={type?.id ?? null} />
      </Dialog>
    </>
  )
}

const MODES = [
  { value: 'now', label: 'Now' },
  { value: 'earlier', label: 'At an earlier moment' },
] as const

function TimeQuestion({ calendar, typeId }: { calendar: Calendar; typeId: string | null }) {
  const today = todayIn(calendar.timezone)
  const [mode, setMode] = useState<(typeof MODES)[number]['value']>('now')
  const [date, setDate] = useState(today)
  const [time, setTime] = useState('')
  const isEarlier = mode === 'earlier'
  const oldest = addDays(today, -RETENTION_DAYS.settingChange)
  const length = typeId === null ? { duration: DEFAULT_DURATION } : { appointment_type_id: typeId }
  const start = isComplete(date, time) ? { ...length, date, time } : null
  return (
    <div className="flex flex-col gap-5">
      <div className="flex">
        <SegmentedControl legend="When" options={MODES} value={mode} onChange={setMode} />
      </div>
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField
          label="Date"
          type="date"
          min={isEarlier ? oldest : addDays(today, -1)}
          max={addDays(today, MAX_DAYS_AHEAD)}
          value={date}
          onChange={(event) => setDate(event.target.value)}
        />
        <TextField
          label="Start"
          type="time"
          step={60}
          value={time}
          onChange={(event) => setTime(event.target.value)}
        />
      </div>
      {isEarlier ? (
        <PastAnswer calendar={calendar} start={start} days={{ oldest, today }} />
      ) : (
        <PresentAnswer calendar={calendar} start={start} />
      )}
    </div>
  )
}

function isComplete(date: string, time: string): boolean {
  return isDate(date) && localTimeSchema.safeParse(time).success
}

/** The type or the length of the appointment, and its start. */
type TypedStart = { readonly date: string; readonly time: string } & (
  | { readonly duration: string }
  | { readonly appointment_type_id: string }
)

type AnswerProps = {
  calendar: Calendar
  /** The start that the owner typed; null while it is not complete. */
  start: TypedStart | null
}

function PresentAnswer({ calendar, start }: AnswerProps) {
  const query = useQuery(timeCheckQuery(calendar.id, start))
  const judged = start === null ? undefined : query.data
  return (
    <>
      {start !== null && <TimeStatus query={query} />}
      <div role="status" className="flex flex-col gap-3">
        {judged !== undefined && (
          <>
            <AmbiguousTimeNote judged={judged} typed={start?.time ?? ''} />
            <Verdict calendarId={calendar.id} judged={judged} offered="Customers can book this time." />
            <DayStrip calendarId={calendar.id} judged={judged} />
          </>
        )}
      </div>
    </>
  )
}

/** Explains what the booking page offered at an earlier moment, and lists the refusals of the start. Source: rule T78. */
function PastAnswer({
  calendar,
  start,
  days: { oldest, today },
}: AnswerProps & { days: { oldest: string; today: string } }) {
  const { id, timezone } = calendar
  const hourCycle = useHourCycle()
  const [date, setDate] = useState(addDays(today, -1))
  const [time, setTime] = useState('')
  const isAsked = start !== null && isComplete(date, time)
  const query = useQuery(
    pastTimeQuery(id, isAsked ? { ...start, moment_date: date, moment_time: time } : null),
  )
  const judged = isAsked ? query.data : undefined
  return (
    <>
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField
          label="Earlier day"
          hint="What did customers see then?"
          type="date"
          min={oldest}
          max={today}
          value={date}
          onChange={(event) => setDate(event.target.value)}
        />
        <TextField
          label="Earlier time"
          type="time"
          step={60}
          value={time}
          onChange={(event) => setTime(event.target.value)}
        />
      </div>
      {isAsked && <TimeStatus query={query} />}
      <div role="status" className="flex flex-col gap-3">
        {judged !== undefined && (
          <>
            <p className="font-semibold">{formatMoment(judged.moment, timezone, hourCycle)}</p>
            <Verdict calendarId={id} judged={judged} offered="Customers could book this time." />
            {!judged.knows_all_events && (
              <p className="text-sm text-ink-soft">
                We don’t know which events your external calendars had then.
              </p>
            )}
            {judged.refusals.length > 0 && (
              <section aria-label="Refused bookings">
                <h3 className="font-semibold">Customers who were refused this time</h3>
                <ul className="divide-y divide-line">
                  {judged.refusals.map((refusal) => (
                    <RefusalItem key={refusal.id} refusal={refusal} timeZone={timezone} />
                  ))}
                </ul>
              </section>
            )}
          </>
        )}
      </div>
    </>
  )
}

function TimeStatus({ query }: { query: ComponentProps<typeof LoadStatus>['query'] }) {
  return (
    <LoadStatus query={query} loading="Checking the time..." failed="Failed to check the time">
      <div className="h-24" />
    </LoadStatus>
  )
}

function Verdict({
  calendarId,
  judged,
  offered,
}: {
  calendarId: string
  judged: AppointmentTimeCheck
  /** The sentence when nothing speaks against the time. */
  offered: string
}) {
  if (judged.reasons.length === 0) return <Notice tone="success">{offered}</Notice>
  return (
    <Notice tone="warning">
      <TimeReasons calendarId={calendarId} judged={judged} />
    </Notice>
  )
}
