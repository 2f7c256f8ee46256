import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { AppointmentRow } from '#contract/appointments/appointments.ts'
import type { AppointmentTimeCheck } from '#contract/appointments/owner-booking.ts'
import { wrapInBidiIsolates } from '#core/shared/text.ts'
import { addDays, isDate } from '#core/shared/zoned-time.ts'
import { isFinalReason } from '#core/slots/explain-start.ts'
import { MAX_DAYS_AHEAD } from '#core/slots/max-days-ahead.ts'
import { AmbiguousTimeNote, TimeWarnings } from '#web/kit/time-check-notes.tsx'
import { TimeFieldset } from '#web/kit/time-fieldset.tsx'
import { formatZone, todayIn } from '#web/shared/format-date.ts'
import { toReadableEmailAddress } from '#web/shared/readable-address.ts'
import { SlotButtons } from '#web/shared/slot-buttons.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { TextField } from '#web/ui/field.tsx'
import { Clock } from '#web/ui/icons/clock.ts'
import { Notice } from '#web/ui/notice.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { describeSession } from './group-sessions.ts'
import { moveCheckQuery, moveSlotsQuery, type NewAppointmentTime } from './move-queries.ts'
import { formatStart, useMoveAppointment } from './use-move.ts'

type MoveDialogProps = {
  appointment: AppointmentRow
  /** True to move everybody in the session of the appointment. Source: rule B60. */
  isWholeSession?: boolean
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** Lets the owner move an appointment to any time, with the same warnings as for a booking by the owner. Source: rule A16. */
export function MoveDialog({ appointment, isWholeSession = false, open, onOpenChange }: MoveDialogProps) {
  const { customers, starts_at } = appointment
  const who = isWholeSession ? describeSession(appointment).name : customers.name
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={isWholeSession ? 'Move session' : 'Move appointment'}
      description={`${wrapInBidiIsolates(who) || 'Unknown'}, now ${formatStart(starts_at, appointment)}`}
    >
      <MoveForm {...{ appointment, isWholeSession }} onClose={() => onOpenChange(false)} />
    </Dialog>
  )
}

type MoveFormProps = Required<Pick<MoveDialogProps, 'appointment' | 'isWholeSession'>> & {
  onClose: () => void
}

function MoveForm({ appointment, isWholeSession, onClose }: MoveFormProps) {
  const { customers, time_zone } = appointment
  const { move, isPending } = useMoveAppointment()
  const [date, setDate] = useState(appointment.date)
  const [isTyped, setTyped] = useState(false)
  const [startsAt, setStartsAt] = useState<string | null>(null)
  const [time, setTime] = useState('')
  const [notify, setNotify] = useState(true)
  const [refusal, setRefusal] = useState<string | null>(null)
  const today = todayIn(time_zone)
  const when = toMoveTime({ date, isTyped, startsAt, time })
  const { data: judged } = useQuery(moveCheckQuery(appointment, when, isWholeSession))
  const canNotify = isWholeSession || Boolean(customers.email)
  const reasons = judged?.reasons ?? []
  const isRefused = reasons.some(isFinalReason)
  const isQuestion = reasons.length > 0 && !isRefused
  const canMove = judged !== undefined && !isRefused && judged.starts_at !== appointment.starts_at

  const submit = async () => {
    if (judged === undefined) return
    setRefusal(null)
    // If there are warnings, the owner has seen them and has pressed "Move anyway".
    const wanted = { appointment, startsAt: judged.starts_at, anyway: isQuestion, notify, isWholeSession }
    const outcome = await move(wanted)
    if (outcome.kind === 'moved') onClose()
    else setRefusal(outcome.sentence)
  }
  const choose = (change: () => void) => {
    setRefusal(null)
    change()
  }
  return (
    <form
      noValidate
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <TextField
        label="Date"
        required
        type="date"
        min={addDays(today, -1)}
        max={addDays(today, MAX_DAYS_AHEAD)}
        value={date}
        onChange={({ target }) =>
          choose(() => {
            setDate(target.value)
            setStartsAt(null)
          })
        }
      />
      <TimeFieldset zone={formatZone(time_zone, `${isDate(date) ? date : today}T12:00:00Z`)}>
        {isTyped ? (
          <TextField
            label="Start"
            required
            type="time"
            step={60}
            className="sm:max-w-48"
            value={time}
            onChange={({ target }) => choose(() => setTime(target.value))}
          />
        ) : (
          <OfferedTimes
            appointment={appointment}
            isWholeSession={isWholeSession}
            date={date}
            selected={startsAt}
            onSelect={(next) => choose(() => setStartsAt(next))}
          />
        )}
        <Button
          variant="ghost"
          size="sm"
          className="-ms-3 self-start"
          onClick={() => choose(() => setTyped(!isTyped))}
        >
          <Clock aria-hidden="true" className="size-4" />
          {isTyped ? 'Choose from the offered times' : 'Another time'}
        </Button>
      </TimeFieldset>
      <div role="status" className="flex flex-col gap-3 empty:hidden">
        {judged !== undefined && when !== null && (
          <Verdict
            calendarId={appointment.calendar_id}
            judged={judged}
            typed={isTyped ? time : ''}
            isSame={judged.starts_at === appointment.starts_at}
          />
        )}
      </div>
      {refusal !== null && (
        <Notice tone="danger" role="alert">
          {refusal}
        </Notice>
      )}
      <Switch
        label="Send an email about the new time"
        checked={notify && canNotify}
        disabled={!canNotify}
        onChange={setNotify}
        hint={
          isWholeSession ? 'To everybody in the session with an email address.' : describeRecipient(customers)
        }
      />
      <div className="flex flex-wrap justify-end gap-3">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          type="submit"
          variant="primary"
          disabled={!canMove}
          pending={isPending}
          pendingLabel="Moving..."
        >
          {isQuestion ? 'Move anyway' : isWholeSession ? 'Move session' : 'Move appointment'}
        </Button>
      </div>
    </form>
  )
}

function describeRecipient({ email }: AppointmentRow['customers']): string {
  return email ? `To ${toReadableEmailAddress(email)}` : 'There is no email address to send it to.'
}

type Chosen = {
  readonly date: string
  readonly isTyped: boolean
  readonly startsAt: string | null
  readonly time: string
}

function toMoveTime({ date, isTyped, startsAt, time }: Chosen): NewAppointmentTime | null {
  if (!isTyped) return startsAt === null ? null : { starts_at: startsAt }
  return isDate(date) && /^\d\d:\d\d$/.test(time) ? { date, time } : null
}

type OfferedTimesProps = Omit<MoveFormProps, 'onClose'> & {
  date: string
  selected: string | null
  onSelect: (startsAt: string) => void
}

function OfferedTimes({ appointment, isWholeSession, date, selected, onSelect }: OfferedTimesProps) {
  const canAsk = isDate(date)
  const { data, error, refetch } = useQuery({
    ...moveSlotsQuery(appointment, date, isWholeSession),
    enabled: canAsk,
  })
  const statusId = useId()
  if (data === undefined && error !== null) {
    return <ErrorState title="Failed to load the times" hint={error.message} onRetry={() => refetch()} />
  }
  const slots = data?.slots.filter((slot) => slot.starts_at !== appointment.starts_at) ?? []
  return (
    <>
      <p id={statusId} role="status" className="flex items-center gap-2 text-ink-soft empty:hidden">
        {!canAsk && 'Choose a date first.'}
        {canAsk && data === undefined && (
          <>
            <Spinner /> Loading available times...
          </>
        )}
        {data !== undefined && slots.length === 0 && 'No available times for this date'}
      </p>
      <SlotButtons
        slots={slots}
        timeZone={appointment.time_zone}
        hourCycle={appointment.hour_cycle}
        selected={selected}
        onSelect={onSelect}
      />
    </>
  )
}

/** Shows the chosen time in words, with warnings about it. */
function Verdict({
  calendarId,
  judged,
  typed,
  isSame,
}: {
  calendarId: string
  judged: AppointmentTimeCheck
  typed: string
  isSame: boolean
}) {
  return (
    <>
      <p className="font-semibold">{formatStart(judged.starts_at, judged)}</p>
      <AmbiguousTimeNote judged={judged} typed={typed} />
      {isSame && <Notice tone="info">The appointment is already at this time.</Notice>}
      <TimeWarnings calendarId={calendarId} judged={judged} />
    </>
  )
}
