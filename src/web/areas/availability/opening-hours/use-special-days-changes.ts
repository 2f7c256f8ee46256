import type { SpecialDaysBody, SpecialDaysEntry } from '#contract/availability/special-days.ts'
import * as at from '#contract/operations/addresses.ts'
import { callApi } from '#web/shared/call-api.ts'
import { useHoursChange } from './use-hours-change.ts'

/** Removes special days, says how it went, and offers to take it back. Source: rules T27 and T34. */
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

/** An entry as a request has it. */
export function toSpecialDaysBody({ first_date, last_date, hours, note }: SpecialDaysEntry): SpecialDaysBody {
  return { first_date, last_date, hours, note }
}
