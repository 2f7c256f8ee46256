import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Availability, CopyAvailabilityBody } from '#contract/availability/opening-hours.ts'
import * as at from '#contract/operations/addresses.ts'
import { copyDay } from '#core/availability/day-hours.ts'
import { FormDialog } from '#web/kit/form-dialog.tsx'
import { FormProblem } from '#web/kit/form-problem.tsx'
import { useHourCycle } from '#web/kit/hour-cycle.ts'
import { refreshAvailability } from '#web/kit/refresh-availability.ts'
import { toProblem } from '#web/kit/show-problem.ts'
import { callApi } from '#web/shared/call-api.ts'
import { deleteDraft, findDraft, storeDraft } from '#web/shared/draft.ts'
import { formatDayOfWeek } from '#web/shared/format-date.ts'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { showUndo, useRestoreDays } from './use-hours-changes.ts'
import {
  CLOSED,
  formatDayHours,
  formatDayNames,
  toDayHours,
  toDayHoursBody,
  WEEKDAYS_FROM_MONDAY,
} from './week.ts'

type CopyDayDialogProps = {
  calendarId: string
  /** The weekday to copy: 0 Sunday to 6 Saturday. */
  fromDay: number
  availability: readonly Availability[]
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** Lets the owner copy the hours of one weekday to others, and lists the hours that will be replaced. Source: rule T26. */
export function CopyOpeningHoursDialog({
  calendarId,
  fromDay,
  availability,
  open,
  onOpenChange,
}: CopyDayDialogProps) {
  const client = useQueryClient()
  const { mutate: restore } = useRestoreDays(calendarId)
  const toBodies = (of: readonly number[]) => of.map((day) => toDayHoursBody(toDayHours(availability, day)))
  const [days, setDays] = useState<readonly number[]>(() => findCopyDayDraft(calendarId)?.to_days ?? [])
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: (body: CopyAvailabilityBody) =>
      callApi(at.copyAvailability, { params: { id: calendarId }, body }),
    onSuccess: (_answer, { to_days }) => {
      const copies = copyDay([toDayHours(availability, fromDay)], fromDay, to_days).map(toDayHoursBody)
      showUndo(`${formatDayOfWeek(fromDay)} copied to ${formatDayNames(to_days)}`, () =>
        restore({ days: toBodies(to_days), was: copies }),
      )
      close(false)
    },
    onError: (failure, body) => {
      const problem = toProblem(failure)
      if (problem.code === 'auth.required') storeDraft(draftKey(calendarId), body)
    },
    onSettled: () => refreshAvailability(client, calendarId),
  })
  const close = (next: boolean) => {
    deleteDraft(draftKey(calendarId))
    onOpenChange(next)
    setDays([])
    reset()
  }
  const toggle = (day: number, chosen: boolean) =>
    setDays(chosen ? [...days, day] : days.filter((each) => each !== day))
  const others = WEEKDAYS_FROM_MONDAY.filter((day) => day !== fromDay)
  const allChosen = days.length === others.length
  const hourCycle = useHourCycle()
  const describeHours = (day: number) => formatDayHours(toDayHours(availability, day).ranges, hourCycle)
  const hours = describeHours(fromDay)
  const replaced = others.flatMap((day) => {
    const before = describeHours(day)
    return days.includes(day) && before !== CLOSED && before !== hours
      ? [`${formatDayOfWeek(day)}: ${before}`]
      : []
  })

  return (
    <FormDialog
      open={open}
      onOpenChange={close}
      title={`Copy ${formatDayOfWeek(fromDay)} to other days`}
      description={`The selected days will get the hours of ${formatDayOfWeek(fromDay)}: ${hours}. Existing appointments stay.`}
      disabled={days.length === 0}
      pending={isPending}
      pendingLabel="Copying..."
      submitLabel={days.length < 2 ? 'Copy' : `Copy to ${days.length} days`}
      onSubmit={(event) => {
        event.preventDefault()
        if (isPending) return
        mutate({ from_day: fromDay, to_days: [...days], was: toBodies([fromDay, ...days]) })
      }}
    >
      <FormProblem
        message={error === null ? undefined : `Failed to copy availability: ${toProblem(error).message}`}
      />
      <fieldset className="flex flex-col gap-4">
        <legend className="sr-only">Days to replace</legend>
        <Checkbox
          label="All other days"
          checked={allChosen}
          onChange={(all) => setDays(all ? others : [])}
          className="border-b border-line pb-3"
        />
        {others.map((day) => (
          <Checkbox
            key={day}
            label={formatDayOfWeek(day)}
            hint={describeHours(day)}
            checked={days.includes(day)}
            onChange={(chosen) => toggle(day, chosen)}
          />
        ))}
      </fieldset>
      {/* Always rendered, so that screen readers announce the hours that will be replaced. */}
      <div role="status" className="empty:-mt-5">
        {replaced.length > 0 && (
          <Notice tone="warning" title="These hours will be replaced">
            <ul>
              {replaced.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </Notice>
        )}
      </div>
    </FormDialog>
  )
}

/** Finds the days that were chosen before the owner had to log in again. */
export function findCopyDayDraft(calendarId: string): CopyAvailabilityBody | undefined {
  return findDraft(draftKey(calendarId))
}

function draftKey(calendarId: string): string {
  return `availability-copy:${calendarId}`
}
