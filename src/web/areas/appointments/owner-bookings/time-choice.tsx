import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Controller, type UseFormReturn } from 'react-hook-form'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { addDays, isDate } from '#core/shared/zoned-time.ts'
import { MAX_DAYS_AHEAD } from '#core/slots/max-days-ahead.ts'
import { TimeFieldset } from '#web/kit/time-fieldset.tsx'
import { formatZone, todayIn } from '#web/shared/format-date.ts'
import { SlotButtons } from '#web/shared/slot-buttons.tsx'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import { FieldNotes } from '#web/ui/field-frame.tsx'
import { Clock } from '#web/ui/icons/clock.ts'
import { Notice } from '#web/ui/notice.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { formatDateWithYearIfDifferent } from './format-date-with-year.ts'
import type { NewAppointmentForm } from './new-appointment-form.ts'
import { offeredTimesQuery } from './owner-booking-queries.ts'

type TimeChoiceProps = {
  calendar: Calendar
  form: UseFormReturn<NewAppointmentForm>
  /** True if the owner has to choose a service first, because the times depend on it. */
  needsType: boolean
}

/** Lets the owner choose a date, and an offered time or a typed one, in the calendar's time zone. */
export function DateAndTimeFields({ calendar, form, needsType }: TimeChoiceProps) {
  const { register, watch, setValue, formState, clearErrors } = form
  const { date, isTyped } = watch()
  const today = todayIn(calendar.timezone)
  const isDay = isDate(date)
  const zone = formatZone(calendar.timezone, `${isDay ? date : today}T12:00:00Z`)
  const type = () => {
    setValue('isTyped', !isTyped)
    clearErrors(['startsAt', 'time'])
  }
  return (
    <>
      <TextField
        label="Date"
        required
        type="date"
        min={addDays(today, -1)}
        max={addDays(today, MAX_DAYS_AHEAD)}
        hint={isDay ? formatDateWithYearIfDifferent(today, date) : undefined}
        error={formState.errors.date?.message}
        {...register('date', { onChange: () => setValue('startsAt', '') })}
      />
      <TimeFieldset zone={zone}>
        {isTyped ? (
          <TextField
            label="Start"
            required
            type="time"
            step={60}
            className="sm:max-w-48"
            error={formState.errors.time?.message}
            {...register('time')}
          />
        ) : (
          <OfferedTimes calendar={calendar} form={form} needsType={needsType} />
        )}
        <Button variant="ghost" size="sm" className="-ms-3 self-start" onClick={type}>
          <Clock aria-hidden="true" className="size-4" />
          {isTyped ? 'Choose from the offered times' : 'Another time'}
        </Button>
      </TimeFieldset>
    </>
  )
}

function OfferedTimes({ calendar, form, needsType }: TimeChoiceProps) {
  const { date, typeId } = form.watch()
  const canAsk = !needsType && isDate(date)
  const { data, error, isFetching, refetch } = useQuery({
    ...offeredTimesQuery(calendar, date, typeId),
    enabled: canAsk,
  })
  if (needsType) {
    return <Message>Please select an appointment type first to see available times</Message>
  }
  if (!canAsk) return <Message>Choose a date first.</Message>
  if (data === undefined && error === null) {
    return (
      <Message>
        <Spinner /> Loading available times...
      </Message>
    )
  }
  if (data === undefined) {
    return (
      <Notice
        tone="danger"
        role="alert"
        action={
          <Button size="sm" pending={isFetching} onClick={() => refetch()}>
            Try again
          </Button>
        }
      >
        {error?.message}
      </Notice>
    )
  }
  if (data.slots.length === 0) return <Message>No available times for this date</Message>
  return (
    <Controller
      control={form.control}
      name="startsAt"
      render={({ field, fieldState }) => (
        <div data-focus="time" tabIndex={-1} ref={field.ref}>
          <SlotButtons
            slots={data.slots}
            timeZone={data.time_zone}
            hourCycle={calendar.hour_cycle}
            selected={field.value || null}
            onSelect={field.onChange}
          />
          <div className="mt-1.5">
            <FieldNotes id="starts-at" error={fieldState.error?.message} />
          </div>
        </div>
      )}
    />
  )
}

/** A message shown in place of the times. */
function Message({ children }: { children: ReactNode }) {
  return (
    <p
      role="status"
      className="flex min-h-20 items-center justify-center gap-2 rounded-control bg-sunken p-4 text-center text-ink-soft"
    >
      {children}
    </p>
  )
}
