import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import type { HolidayChoicesBody } from '#contract/availability/holidays.ts'
import type {
  Availability,
  AvailabilityBody,
  ReplaceAvailabilityBody,
} from '#contract/availability/opening-hours.ts'
import type { SpecialDaysBody, SpecialDaysEntry } from '#contract/availability/special-days.ts'
import * as at from '#contract/operations/addresses.ts'
import { refreshAvailability } from '#web/kit/refresh-availability.ts'
import { callApi } from '#web/shared/call-api.ts'
import { toast } from '#web/ui/toast.tsx'
import { holidaysQuery } from './availability-queries.ts'
import type { OpeningRange } from './week.ts'

/** Adds open hours to a weekday, with a toast. The form shows why it failed. */
export function useAddOpeningRange(calendarId: string) {
  return useHoursChange(calendarId, makeAddition(calendarId))
}

/** The beginning of the text that says why hours could not be added. */
export const ADDING_FAILED = 'Failed to add availability'

function makeAddition(calendarId: string): HoursChange<AvailabilityBody> {
  return {
    send: (body) => callApi(at.addAvailability, { params: { id: calendarId }, body }),
    done: 'Availability added',
  }
}

/** Removes open hours, with a toast that offers to undo it. Source: rule T27. */
export function useRemoveOpeningRange(calendarId: string) {
  const { mutate: add } = useHoursChange(calendarId, { ...makeAddition(calendarId), failed: ADDING_FAILED })
  return useHoursChange(calendarId, {
    send: ({ id, start_time, end_time }: Availability) =>
      callApi(at.removeAvailability, {
        params: { id: calendarId, availability_id: id },
        query: { start_time, end_time },
      }),
    done: 'Availability removed',
    failed: 'Failed to remove availability',
    undo: ({ day_of_week, start_time, end_time }) => add({ day_of_week, start_time, end_time }),
  })
}

/** New times for a range, which has other times now. */
type RangeChange = { readonly range: Availability; readonly times: OpeningRange }

/** Gives a range other times, with a toast. Source: rule T25. */
export function useChangeRange(calendarId: string) {
  return useHoursChange(calendarId, { send: changeTimes, ...RANGE_CHANGE_TEXTS })
}

/** Gives a range other times, with a toast that offers to undo it. Source: rules T25 and T27. */
export function useDragRange(calendarId: string) {
  const { mutate: change } = useChangeRange(calendarId)
  return useHoursChange(calendarId, {
    send: changeTimes,
    ...RANGE_CHANGE_TEXTS,
    undo: ({ range, times }) => change({ range: { ...range, ...times }, times: range }),
  })
}

const RANGE_CHANGE_TEXTS = { done: 'Availability changed', failed: 'Failed to change availability' } as const

/** Sends other times for a range, together with those that the screen shows now. @throws ApiProblem */
export function changeTimes({ range, times }: RangeChange): Promise<Availability> {
  return callApi(at.changeAvailability, {
    params: { id: range.calendar_id, availability_id: range.id },
    body: { ...pickTimes(times), was: pickTimes(range) },
  })
}

function pickTimes({ start_time, end_time }: OpeningRange): OpeningRange {
  return { start_time, end_time }
}

/** Gives weekdays their former hours again, with a toast. Source: rule T27. */
export function useRestoreDays(calendarId: string) {
  return useHoursChange(calendarId, {
    send: (body: ReplaceAvailabilityBody) =>
      callApi(at.replaceAvailability, { params: { id: calendarId }, body }),
    done: 'Hours restored',
    failed: 'Failed to restore hours',
  })
}

/** Shows that a change was saved, in a toast that offers to undo it for some seconds. Source: rule T27. */
export function showUndo(text: string, undo: () => void): void {
  toast.success(text, { durationMs: UNDO_MS, action: { label: 'Undo', onClick: undo } })
}

/** Removes special days, with a toast that offers to undo it. Source: rules T27 and T34. */
export function useRemoveSpecialDays(calendarId: string) {
  const { mutate: add } = useHoursChange(calendarId, {
    send: (body: SpecialDaysBody) => callApi(at.addSpecialDays, { params: { id: calendarId }, body }),
    done: 'Days added',
    failed: 'Failed to add days',
  })
  return useHoursChange(calendarId, {
    send: ({ id }: SpecialDaysEntry) =>
      callApi(at.removeSpecialDays, { params: { id: calendarId, special_days_id: id } }),
    done: 'Days removed',
    failed: 'Failed to remove days',
    undo: (entry) => add(toSpecialDaysBody(entry)),
  })
}

/** Closes proposed holidays, with a toast. Source: rule T56. */
export function useCloseHolidays(calendarId: string) {
  return useHoursChange(calendarId, {
    send: useChooseHolidays(calendarId, 'close'),
    done: 'Days closed',
    failed: 'Failed to close days',
  })
}

/** Keeps proposed holidays open, with a toast that offers to undo it. Source: rule T57. */
export function useKeepHolidaysOpen(calendarId: string) {
  const { mutate: undo } = useHoursChange(calendarId, {
    send: useChooseHolidays(calendarId, 'undecided'),
    done: 'Holiday suggested again',
    failed: 'Failed to undo',
  })
  return useHoursChange(calendarId, {
    send: useChooseHolidays(calendarId, 'keep_open'),
    done: 'The day stays open',
    failed: 'Failed to keep the day open',
    undo,
  })
}

/** Returns a function that sends a choice about holidays, and shows the holidays of the response. */
function useChooseHolidays(calendarId: string, choice: HolidayChoicesBody['choice']) {
  const client = useQueryClient()
  return async (dates: readonly string[]) => {
    const answer = await callApi(at.chooseHolidays, {
      params: { id: calendarId },
      body: { choice, dates: [...dates] },
    })
    client.setQueryData(holidaysQuery(calendarId).queryKey, answer)
  }
}

/** Converts an entry to a request body. */
export function toSpecialDaysBody({
  first_date,
  last_date,
  hours,
  note,
  public_note,
}: SpecialDaysEntry): SpecialDaysBody {
  return { first_date, last_date, hours, note, public_note }
}

/** How long a toast offers to undo a change, in ms. Source: rule T27. */
const UNDO_MS = 8_000

type HoursChange<Given> = {
  readonly send: (given: Given) => Promise<unknown>
  /** The text after success: `Days added`. */
  readonly done: string
  /**
   * The beginning of the toast after a failure, such as `Failed to add days`; the server's reason follows. Absent if a form shows
   * the failure.
   */
  readonly failed?: string
  /** Undoes the change. If absent, the toast has no undo button. */
  readonly undo?: (given: Given) => void
}

/** Changes a calendar's hours, shows the result as a toast, and refetches all data that depends on the hours. */
function useHoursChange<Given>(calendarId: string, { send, done, failed, undo }: HoursChange<Given>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: send,
    onSuccess: (_answer, given) => {
      if (undo === undefined) toast.success(done)
      else showUndo(done, () => undo(given))
    },
    onError: (error) => {
      if (failed !== undefined) toast.error(`${failed}: ${error.message}`)
    },
    onSettled: () => refreshAvailability(client, calendarId),
  })
}

type Outcome = { readonly onSuccess: () => void; readonly onError: () => void }

/**
 * Returns a function that sends a removal only once, even after a double click, whose second click happens before `isPending` is
 * rendered. After a failure, the removal can be sent again.
 */
export function useRemoveOnceWithUndo(remove: (outcome: Outcome) => void, onRemoved: () => void): () => void {
  const isSent = useRef(false)
  return () => {
    if (isSent.current) return
    isSent.current = true
    remove({
      onSuccess: onRemoved,
      onError: () => {
        isSent.current = false
      },
    })
  }
}
