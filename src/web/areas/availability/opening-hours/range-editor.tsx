import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useRef } from 'react'
import { Controller } from 'react-hook-form'
import {
  type Availability,
  type AvailabilityBody,
  type AvailabilityResponse,
  openingRangeSchema,
} from '#contract/availability/opening-hours.ts'
import * as at from '#contract/operations/addresses.ts'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { changeRange } from '#core/availability/day-hours.ts'
import { availabilityQuery } from '#web/kit/availability-query.ts'
import { FormNotices } from '#web/kit/form-notices.tsx'
import { useHourCycle } from '#web/kit/hour-cycle.ts'
import { refreshAvailability } from '#web/kit/refresh-availability.ts'
import { type RecordDraft, useRecordForm } from '#web/kit/use-record-form.ts'
import { callApi } from '#web/shared/call-api.ts'
import { findDraft } from '#web/shared/draft.ts'
import { formatDayOfWeek } from '#web/shared/format-date.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import { toast } from '#web/ui/toast.tsx'
import { RangeEndField } from './end-field.tsx'
import { changeTimes, showUndo, useChangeRange } from './use-hours-changes.ts'
import { formatRange, formatRangeEnd, type OpeningRange, removeSeconds, toClocks } from './week.ts'

type RangeEditorProps = {
  range: Availability
  /** True when the range has been removed in another window since its form was opened. Saving adds it again. */
  isRemoved: boolean
  /** The stored ranges of its weekday. */
  rangesOfDay: readonly Availability[]
  onClose: () => void
}

const LABELS = { start_time: 'Start time', end_time: 'End time' } as const

/** Lets the owner type other times for a range, in its place in the week. Source: rules T25 and X4. */
export function OpeningRangeEditor({ range, isRemoved, rangesOfDay, onClose }: RangeEditorProps) {
  const formId = useId()
  const hourCycle = useHourCycle()
  const record = useRangeEdits({ range, isRemoved, rangesOfDay, onSaved: onClose })
  const { form, isEdited, save, giveUp } = record
  const { errors, isSubmitting } = form.formState
  const { setFocus } = form
  const isRestored = useRef(record.discardRestored !== undefined)
  useEffect(() => {
    if (!isRestored.current) setFocus('start_time')
  }, [setFocus])
  const close = () => {
    giveUp()
    onClose()
  }
  return (
    <form
      noValidate
      aria-label={`Change ${formatDayOfWeek(range.day_of_week)} ${formatRange(range, hourCycle)}`}
      className="flex basis-full flex-col gap-3 rounded-control bg-sunken p-3"
      onKeyDown={(event) => {
        if (event.key === 'Escape') close()
      }}
      onSubmit={(event) => {
        event.preventDefault()
        if (isEdited || isRemoved) void save(event)
        else close()
      }}
    >
      <FormNotices record={record} labels={LABELS} />
      <div className="flex flex-wrap items-start gap-3">
        <TextField
          label={LABELS.start_time}
          type="time"
          step={300}
          error={errors.start_time?.message}
          className="min-w-34 flex-1"
          {...form.register('start_time')}
        />
        <Controller
          control={form.control}
          name="end_time"
          render={({ field }) => (
            <RangeEndField
              id={`${formId}-end`}
              value={field.value}
              onChange={field.onChange}
              inputRef={field.ref}
              error={errors.end_time?.message}
              className="min-w-34 flex-1"
            />
          )}
        />
        <div className="flex flex-wrap gap-2">
          <Button type="submit" pending={isSubmitting} pendingLabel={isRemoved ? 'Adding...' : 'Saving...'}>
            {isRemoved ? 'Add hours' : 'Save'}
          </Button>
          <Button variant="ghost" onClick={close}>
            Cancel
          </Button>
        </div>
      </div>
    </form>
  )
}

/** Manages the form of a range. */
function useRangeEdits({
  range,
  isRemoved,
  rangesOfDay,
  onSaved,
}: Omit<RangeEditorProps, 'onClose'> & { onSaved: () => void }) {
  const client = useQueryClient()
  const hourCycle = useHourCycle()
  const { calendar_id: calendarId, day_of_week } = range
  const { mutate: change } = useChangeRange(calendarId)
  const query = availabilityQuery(calendarId)
  return useRecordForm<Availability, OpeningRange, OpeningRange>({
    stored: range,
    draftKey: draftKey(range.id),
    schema: openingRangeSchema,
    mode: 'onSubmit',
    show: ({ start_time, end_time }) => removeSeconds({ start_time, end_time }),
    describe: ({ start_time, end_time }) => ({
      start_time: formatRangeEnd(start_time, hourCycle),
      end_time: formatRangeEnd(end_time, hourCycle),
    }),
    check: (times) =>
      changeRange(
        rangesOfDay.map(({ id, ...stored }) => ({ id, ...toClocks(stored) })),
        { id: range.id, ...toClocks(times) },
      ).ok
        ? null
        : { field: 'start_time', message: PROBLEMS['availability.overlap'].title },
    send: async (times, shown) => {
      const saving = isRemoved
        ? addRange(calendarId, { day_of_week, ...times })
        : changeTimes({ range: shown, times })
      const saved = await saving.finally(() => {
        // Refresh after an error response as well, because the data on the screen may be outdated.
        void refreshAvailability(client, calendarId)
      })
      client.setQueryData(query.queryKey, (week) => week && withRange(week, saved))
      return saved
    },
    readAgain: async ({ id }) => {
      const { availability } = await client.fetchQuery({ ...query, staleTime: 0 })
      return availability.find((each) => each.id === id)
    },
    onSaved: (saved, { shown }) => {
      if (isRemoved) toast.success('Availability added')
      else showUndo('Availability changed', () => change({ range: saved, times: shown }))
      onSaved()
    },
    failed: (sentence) => `Failed to change availability: ${sentence}`,
  })
}

function addRange(calendarId: string, body: AvailabilityBody): Promise<Availability> {
  return callApi(at.addAvailability, { params: { id: calendarId }, body })
}

/** Returns the week with a saved range in the place of its former times. */
function withRange(week: AvailabilityResponse, saved: Availability): AvailabilityResponse {
  const others = week.availability.filter(({ id }) => id !== saved.id)
  return { ...week, availability: [...others, saved] }
}

/** True when the range has unsaved edits, for example from before the owner had to log in again. */
export function hasRangeEdits(rangeId: string): boolean {
  return findDraft<RecordDraft<Availability, OpeningRange>>(draftKey(rangeId)) !== undefined
}

function draftKey(rangeId: string): string {
  return `availability-edit:${rangeId}`
}
