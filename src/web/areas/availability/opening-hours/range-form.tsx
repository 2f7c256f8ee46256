import { useEffect, useId } from 'react'
import { type Control, Controller, useForm, useWatch } from 'react-hook-form'
import {
  type Availability,
  type AvailabilityBody,
  availabilityBody,
} from '#contract/availability/opening-hours.ts'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { schemaResolver } from '#web/kit/contract-resolver.ts'
import { FormProblem } from '#web/kit/form-problem.tsx'
import { useHourCycle } from '#web/kit/hour-cycle.ts'
import { showFieldProblems, toProblem } from '#web/kit/show-problem.ts'
import { deleteDraft, findDraft, storeDraft } from '#web/shared/draft.ts'
import { formatDayOfWeek } from '#web/shared/format-date.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import { Select } from '#web/ui/select.tsx'
import { RangeEndField } from './end-field.tsx'
import { ADDING_FAILED, useAddOpeningRange } from './use-hours-changes.ts'
import { findOverlappingRange, formatRange, removeSeconds, WEEKDAYS_FROM_MONDAY } from './week.ts'

type RangeFormProps = {
  calendarId: string
  /** The stored hours of the week, used to detect overlaps before the request is sent. */
  availability: readonly Availability[]
  values: AvailabilityBody
  /** True when the form is in the row of a weekday, which is then fixed. Otherwise, the owner can choose the weekday. */
  inRow?: boolean
  /** True when this button is the most important one of its page. */
  isPrimary?: boolean
  onAdded?: () => void
  onCancel?: () => void
}

/** Lets the owner add open hours to a weekday. Source: rule T25. */
export function OpeningRangeForm({
  calendarId,
  availability,
  values,
  inRow = false,
  isPrimary = false,
  onAdded,
  onCancel,
}: RangeFormProps) {
  const formId = useId()
  const { register, control, handleSubmit, setError, reset, formState } = useForm({
    resolver: schemaResolver(availabilityBody),
    defaultValues: values,
  })
  const { mutateAsync } = useAddOpeningRange(calendarId)
  const { errors, isSubmitting, isDirty } = formState
  const { day_of_week: firstDay, start_time, end_time } = values
  // After a range has been added, suggest the next one, unless the owner has typed a new one.
  useEffect(() => {
    if (!isDirty) reset({ day_of_week: firstDay, start_time, end_time })
  }, [isDirty, firstDay, start_time, end_time, reset])

  const add = handleSubmit(async (body) => {
    if (findOverlappingRange(availability, body) !== null) {
      setError('start_time', { message: PROBLEMS['availability.overlap'].title }, { shouldFocus: true })
      return
    }
    try {
      await mutateAsync(body)
    } catch (error) {
      const problem = toProblem(error)
      if (problem.code === 'auth.required') {
        const draft: RangeDraft = { values: removeSeconds(body), inRow }
        storeDraft(rangeDraftKey(calendarId), draft)
      }
      if (!showFieldProblems(problem, setError, ['start_time', 'end_time'])) {
        setError('root', { message: `${ADDING_FAILED}: ${problem.message}` })
      }
      return
    }
    deleteDraft(rangeDraftKey(calendarId))
    reset()
    onAdded?.()
  })

  return (
    <form
      noValidate
      onSubmit={add}
      aria-label={inRow ? `Add hours on ${formatDayOfWeek(values.day_of_week)}` : 'Add hours'}
      className="flex flex-col gap-3"
    >
      <div className="grid items-start gap-x-4 gap-y-3 sm:grid-cols-2 @3xl:flex">
        {!inRow && (
          <Controller
            control={control}
            name="day_of_week"
            render={({ field }) => (
              <Select
                label="Day"
                options={WEEKDAYS_FROM_MONDAY.map((day) => ({
                  value: `${day}`,
                  label: formatDayOfWeek(day),
                }))}
                value={`${field.value}`}
                onChange={(day) => field.onChange(Number(day))}
                className="sm:@max-3xl:col-span-2 @3xl:min-w-44 @3xl:flex-1"
              />
            )}
          />
        )}
        <TextField
          label="Start time"
          type="time"
          step={300}
          error={errors.start_time?.message}
          className="@3xl:min-w-44 @3xl:flex-1"
          {...register('start_time')}
        />
        <Controller
          control={control}
          name="end_time"
          render={({ field }) => (
            <RangeEndField
              id={`${formId}-end`}
              value={field.value}
              onChange={field.onChange}
              inputRef={field.ref}
              error={errors.end_time?.message}
              className="@3xl:min-w-44 @3xl:flex-1"
            />
          )}
        />
        <div className="flex flex-wrap gap-3 sm:@max-3xl:col-span-2 @3xl:mt-6.5">
          <Button
            type="submit"
            variant={isPrimary ? 'primary' : 'secondary'}
            pending={isSubmitting}
            pendingLabel="Adding..."
          >
            Add hours
          </Button>
          {onCancel !== undefined && (
            <Button variant="ghost" onClick={onCancel}>
              Cancel
            </Button>
          )}
        </div>
      </div>
      {/* In the row of a weekday, no hint is needed, because its hours are visible. */}
      {!inRow && <OverlapHint control={control} availability={availability} />}
      <FormProblem message={errors.root?.message} />
    </form>
  )
}

/** Warns that the day already has open hours at some of the chosen times. */
function OverlapHint({
  control,
  availability,
}: Pick<RangeFormProps, 'availability'> & { control: Control<AvailabilityBody> }) {
  const entry = useWatch({ control }) as AvailabilityBody
  const hourCycle = useHourCycle()
  const inTheWay = findOverlappingRange(availability, entry)
  return (
    // Always rendered, so that screen readers announce changes.
    <p role="status" className="text-sm text-ink-soft empty:-mt-3">
      {inTheWay !== null &&
        `Already open on ${formatDayOfWeek(entry.day_of_week)}: ${formatRange(inTheWay, hourCycle)}.`}
    </p>
  )
}

/**
 * A range that was being added before the owner had to log in again. `inRow` tells whether the form was in the row of a weekday.
 */
type RangeDraft = { values: AvailabilityBody; inRow: boolean }

export function findOpeningRangeDraft(calendarId: string): RangeDraft | undefined {
  return findDraft(rangeDraftKey(calendarId))
}

function rangeDraftKey(calendarId: string): string {
  return `availability-range:${calendarId}`
}
