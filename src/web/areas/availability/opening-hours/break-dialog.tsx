import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import {
  type Availability,
  openingRangeSchema,
  type ReplaceAvailabilityBody,
} from '#contract/availability/opening-hours.ts'
import * as at from '#contract/operations/addresses.ts'
import { cutOutBreak } from '#core/availability/day-hours.ts'
import { type ClockRange, findOverlap } from '#core/availability/overlapping-ranges.ts'
import { schemaResolver } from '#web/kit/contract-resolver.ts'
import { FormDialog } from '#web/kit/form-dialog.tsx'
import { useHourCycle } from '#web/kit/hour-cycle.ts'
import { refreshAvailability } from '#web/kit/refresh-availability.ts'
import { toProblem } from '#web/kit/show-problem.ts'
import { callApi } from '#web/shared/call-api.ts'
import { deleteDraft, findDraft, storeDraft } from '#web/shared/draft.ts'
import { formatDayOfWeek } from '#web/shared/format-date.ts'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { TextField } from '#web/ui/field.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { showUndo, useRestoreDays } from './use-hours-changes.ts'
import {
  formatDayHours,
  formatDayNames,
  type OpeningRange,
  toClocks,
  toDayHours,
  toDayHoursBody,
  WEEKDAYS_FROM_MONDAY,
} from './week.ts'

type AddBreakDialogProps = {
  calendarId: string
  availability: readonly Availability[]
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** The break that the dialog offers (rule T44). */
const LUNCH: OpeningRange = { start_time: '12:00', end_time: '13:00' }

/** A typed break. An end at 00:00 is the end of the day, because no break ends before it starts. */
const breakSchema = z
  .object({ start_time: z.string(), end_time: z.string() })
  .transform(({ start_time, end_time }) => ({
    start_time,
    end_time: end_time === '00:00' ? '24:00' : end_time,
  }))
  .pipe(openingRangeSchema)

/**
 * Lets the owner take a break out of the hours of several weekdays at once. All days that are open then are chosen at first, and
 * each day shows the hours that it will have. Source: rule T44.
 */
export function AddBreakDialog({ calendarId, availability, open, onOpenChange }: AddBreakDialogProps) {
  const client = useQueryClient()
  const hourCycle = useHourCycle()
  const [draft] = useState(() => findBreakDraft(calendarId))
  const { register, handleSubmit, getValues, reset, formState } = useForm({
    resolver: schemaResolver(breakSchema),
    defaultValues: draft?.times ?? LUNCH,
  })
  // The last valid break: while the owner types, the fields are empty at times.
  const [pause, setPause] = useState(() => parseBreak(draft?.times) ?? toClocks(LUNCH))
  const [skipped, setSkipped] = useState<readonly number[]>(draft?.skipped ?? [])
  const { mutate: restore } = useRestoreDays(calendarId)
  const {
    mutate,
    isPending,
    error,
    reset: forgetError,
  } = useMutation({
    mutationFn: (body: ReplaceAvailabilityBody) =>
      callApi(at.replaceAvailability, { params: { id: calendarId }, body }),
    onSuccess: (_answer, { days, was = [] }) => {
      showUndo(`Break added on ${formatDayNames(days.map(({ day_of_week }) => day_of_week))}`, () =>
        restore({ days: was, was: days }),
      )
      close(false)
    },
    onError: (failure) => {
      if (toProblem(failure).code !== 'auth.required') return
      const unsaved: BreakDraft = { times: getValues(), skipped }
      storeDraft(draftKey(calendarId), unsaved)
    },
    onSettled: () => refreshAvailability(client, calendarId),
  })
  const close = (next: boolean) => {
    deleteDraft(draftKey(calendarId))
    onOpenChange(next)
    reset(LUNCH)
    setPause(toClocks(LUNCH))
    setSkipped([])
    forgetError()
  }
  const week = WEEKDAYS_FROM_MONDAY.map((day) => toDayHours(availability, day))
  const openDays = week.filter(({ ranges }) => findOverlap(ranges, pause) !== null)
  const chosen = openDays.filter(({ dayOfWeek }) => !skipped.includes(dayOfWeek))
  const readBreak = () => {
    const typed = parseBreak(getValues())
    if (typed !== null) setPause(typed)
  }

  return (
    <FormDialog
      open={open}
      onOpenChange={close}
      title="Add lunch break"
      description="The selected days will get these hours. Existing appointments during the break stay."
      disabled={chosen.length === 0}
      pending={isPending}
      pendingLabel="Adding..."
      submitLabel={
        chosen.length === 0 ? 'Add' : `Add to ${formatDayNames(chosen.map(({ dayOfWeek }) => dayOfWeek))}`
      }
      onSubmit={handleSubmit(() => {
        if (isPending) return
        const days = chosen.map(({ dayOfWeek, ranges }) => ({
          dayOfWeek,
          ranges: cutOutBreak(ranges, pause),
        }))
        mutate({ days: days.map(toDayHoursBody), was: chosen.map(toDayHoursBody) })
      })}
    >
      {error !== null && (
        <Notice tone="danger" role="alert">
          {error.message}
        </Notice>
      )}
      <div className="grid grid-cols-[repeat(auto-fit,minmax(9rem,1fr))] items-start gap-4">
        <TextField
          label="Start time"
          type="time"
          step={300}
          error={formState.errors.start_time?.message}
          {...register('start_time', { onChange: readBreak })}
        />
        <TextField
          label="End time"
          type="time"
          step={300}
          error={formState.errors.end_time?.message}
          {...register('end_time', { onChange: readBreak })}
        />
      </div>
      <fieldset className="flex flex-col gap-4">
        <legend className="sr-only">Days with this break</legend>
        {week.map((day) => {
          const { dayOfWeek, ranges } = day
          const isOpen = openDays.includes(day)
          const isChosen = chosen.includes(day)
          return (
            <Checkbox
              key={dayOfWeek}
              label={formatDayOfWeek(dayOfWeek)}
              hint={formatDayHours(isChosen ? cutOutBreak(ranges, pause) : ranges, hourCycle)}
              checked={isChosen}
              disabled={!isOpen}
              onChange={(choose) =>
                setSkipped(choose ? skipped.filter((each) => each !== dayOfWeek) : [...skipped, dayOfWeek])
              }
            />
          )
        })}
      </fieldset>
    </FormDialog>
  )
}

/** Returns the typed break, or null if it is incomplete or does not start before it ends. */
function parseBreak(typed: OpeningRange | undefined): ClockRange | null {
  const { data } = breakSchema.safeParse(typed)
  return data === undefined ? null : toClocks(data)
}

/** A break that was being added before the owner had to log in again. */
type BreakDraft = { times: OpeningRange; skipped: readonly number[] }

export function findBreakDraft(calendarId: string): BreakDraft | undefined {
  return findDraft(draftKey(calendarId))
}

function draftKey(calendarId: string): string {
  return `availability-break:${calendarId}`
}
