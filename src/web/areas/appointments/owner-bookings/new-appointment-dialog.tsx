import { useId } from 'react'
import { Controller } from 'react-hook-form'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { wrapInBidiIsolates } from '#core/shared/text.ts'
import { CalendarField } from '#web/kit/calendar-field.tsx'
import { FormProblem } from '#web/kit/form-problem.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextArea, TextField } from '#web/ui/field.tsx'
import { Select } from '#web/ui/select.tsx'
import { Answers } from './answers.tsx'
import { CustomerFields } from './customer-fields.tsx'
import { NotifySwitch } from './notify-switch.tsx'
import { SeriesDates } from './series-dates.tsx'
import { SeriesFields } from './series-fields.tsx'
import { TimeCheckResult } from './time-check.tsx'
import { DateAndTimeFields } from './time-choice.tsx'
import { useNewAppointment } from './use-new-appointment.ts'

type NewAppointmentDialogProps = {
  /** The calendars to book in: at least one. If there are several, the owner chooses one. */
  calendars: readonly Calendar[]
  /** The date shown in the calendar view, which is the form's default date; null if there is none. */
  shownDate: string | null
  /** The start of the slot on which the owner has pressed, which is then the typed time; null for none. */
  pointedAt: string | null
  open: boolean
  onOpenChange: (open: boolean) => void
}

/**
 * Lets the owner book an appointment for a customer. The input is kept when the server refuses the booking, or when the
 * owner closes the dialog by accident. "Cancel" discards it. Source: rule O2.
 */
export function NewAppointmentDialog({
  calendars,
  shownDate,
  pointedAt,
  open,
  onOpenChange,
}: NewAppointmentDialogProps) {
  const formId = useId()
  const reasonId = useId()
  const booking = useNewAppointment({
    calendars,
    shownDate,
    pointedAt,
    open,
    onBooked: () => onOpenChange(false),
  })
  const { calendar, services = [], hasTypes, form, asked, series, answer, submit } = booking
  const { errors, isSubmitting } = form.formState
  // True if the server asks for confirmation. Disable submitting then, because it would only repeat the question.
  const isSeries = form.watch('repeats') !== ''
  // Sessions do not repeat. Source: rule B63.
  const hasSeats = services.some(({ id, seats }) => id === form.watch('typeId') && seats !== null)
  const isAsking = !isSeries && answer?.isQuestion === true
  const bookedDates = series.dates.filter(({ startsAt }) => startsAt !== null).length
  const hasNoDate = isSeries && series.asked !== null && bookedDates === 0
  const obstacle = isAsking
    ? 'Choose “Book anyway” above, or pick another time.'
    : hasNoDate && series.plan !== undefined && 'Choose at least one date above.'
  const needsType = hasTypes && form.watch('typeId') === ''

  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="New appointment"
      description="For customers who phone or walk in."
      footer={
        <>
          {obstacle && (
            <p id={reasonId} className="me-auto self-center text-sm text-ink-soft">
              {obstacle}
            </p>
          )}
          <Button
            onClick={() => {
              booking.clear()
              onOpenChange(false)
            }}
          >
            Cancel
          </Button>
          <Button
            type="submit"
            form={formId}
            variant="primary"
            disabled={isAsking || hasNoDate}
            aria-describedby={obstacle ? reasonId : undefined}
            pending={isSubmitting}
            pendingLabel="Booking..."
          >
            {isSeries && bookedDates > 1 ? `Book ${bookedDates} appointments` : 'Book appointment'}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={submit(false)} className="flex flex-col gap-5">
        {calendars.length > 1 && (
          <CalendarField
            required
            calendars={calendars}
            value={calendar.id}
            onChange={(id) => id !== null && booking.chooseCalendar(id)}
          />
        )}
        <CustomerFields calendarId={calendar.id} form={form} />
        {hasTypes ? (
          <Controller
            control={form.control}
            name="typeId"
            render={({ field, fieldState }) => (
              <Select
                label="Appointment type"
                required
                options={services.map(({ id, name, duration }) => ({
                  value: id,
                  label: `${wrapInBidiIsolates(name)} · ${duration} min`,
                }))}
                value={field.value || null}
                onChange={(typeId) => {
                  field.onChange(typeId)
                  form.setValue('startsAt', '')
                }}
                error={fieldState.error?.message}
              />
            )}
          />
        ) : (
          <TextField
            label="Duration (minutes)"
            required
            type="number"
            inputMode="numeric"
            min={LIMITS.typeDurationMin}
            max={LIMITS.ownDurationMax}
            step={5}
            className="sm:max-w-48"
            error={errors.duration?.message}
            {...form.register('duration')}
          />
        )}
        <DateAndTimeFields calendar={calendar} form={form} needsType={needsType} />
        {(isSeries || !hasSeats) && <SeriesFields form={form} />}
        {isSeries ? (
          <SeriesDates series={series} />
        ) : (
          <TimeCheckResult
            calendarId={calendar.id}
            asked={asked}
            answer={answer}
            pending={isSubmitting}
            onBookAnyway={submit(true)}
          />
        )}
        <Answers calendarId={calendar.id} form={form} />
        <TextArea
          label="Notes"
          hint="The customer sees these in the confirmation."
          maxLength={LIMITS.appointmentDescription}
          error={errors.notes?.message}
          {...form.register('notes')}
        />
        <NotifySwitch calendarId={calendar.id} asked={asked} form={form} />
        <FormProblem message={errors.root?.message} />
      </form>
    </Dialog>
  )
}
