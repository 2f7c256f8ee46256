import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { localTimeSchema } from '#contract/appointments/owner-booking.ts'
import type { AvailabilityResponse } from '#contract/availability/opening-hours.ts'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { wrapInBidiIsolates } from '#core/shared/text.ts'
import { addDays, isDate } from '#core/shared/zoned-time.ts'
import { MAX_DAYS_AHEAD } from '#core/slots/max-days-ahead.ts'
import { LoadStatus } from '#web/kit/load-status.tsx'
import { AmbiguousTimeNote, TimeReasons } from '#web/kit/time-check-notes.tsx'
import { timeCheckQuery } from '#web/kit/time-check-query.ts'
import { localDateOf } from '#web/shared/format-date.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextField } from '#web/ui/field.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { DayStrip } from './day-strip.tsx'
import { DEFAULT_DURATION } from './new-appointment-form.ts'

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

function TimeQuestion({ calendar, typeId }: { calendar: Calendar; typeId: string | null }) {
  const today = localDateOf(new Date().toISOString(), calendar.timezone)
  const [date, setDate] = useState(today)
  const [time, setTime] = useState('')
  const isComplete = isDate(date) && localTimeSchema.safeParse(time).success
  const length = typeId === null ? { duration: DEFAULT_DURATION } : { appointment_type_id: typeId }
  const query = useQuery(timeCheckQuery(calendar.id, isComplete ? { ...length, date, time } : null))
  const judged = isComplete ? query.data : undefined
  return (
    <div className="flex flex-col gap-5">
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField
          label="Date"
          type="date"
          min={addDays(today, -1)}
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
      {isComplete && (
        <LoadStatus query={query} loading="Checking the time..." failed="Failed to check the time">
          <div className="h-24" />
        </LoadStatus>
      )}
      <div role="status" className="flex flex-col gap-3">
        {judged !== undefined && (
          <>
            <AmbiguousTimeNote judged={judged} typed={time} />
            {judged.reasons.length === 0 ? (
              <Notice tone="success">Customers can book this time.</Notice>
            ) : (
              <Notice tone="warning">
                <TimeReasons calendarId={calendar.id} judged={judged} />
              </Notice>
            )}
            <DayStrip calendarId={calendar.id} judged={judged} />
          </>
        )}
      </div>
    </div>
  )
}
