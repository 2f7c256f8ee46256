import { useQueryClient } from '@tanstack/react-query'
import type { FieldValues } from 'react-hook-form'
import type { z } from 'zod'
import type { Calendar, CalendarChanges } from '#contract/calendars/calendars.ts'
import * as at from '#contract/operations/addresses.ts'
import { callApi } from '#web/shared/call-api.ts'
import { toast } from '#web/ui/toast.tsx'
import { reloadCalendar, updateCachedCalendar } from './calendar-cache.ts'
import { toPartialUpdate } from './changed-fields.ts'
import { useRecordForm } from './use-record-form.ts'

type CalendarFormOptions<Values extends FieldValues> = {
  calendar: Calendar
  /** The form's name, which is part of its draft key. */
  name: string
  schema: z.ZodType<Values, Values>
  /** Converts a calendar to the form's values. */
  show: (calendar: Calendar) => Values
  /** Converts the stored values to readable text, for fields whose form values are not readable. */
  describe?: (calendar: Calendar) => Readonly<Record<string, unknown>>
  /** Converts the changed values to a request body. */
  toChanges: (values: Partial<Values>) => CalendarChanges
  /** The text of the toast after success, and that in the form after a failure. */
  saved: string
  failed: (sentence: string) => string
}

/** A form for some of a calendar's settings. */
export function useCalendarForm<Values extends FieldValues>({
  calendar,
  name,
  toChanges,
  saved,
  ...options
}: CalendarFormOptions<Values>) {
  const client = useQueryClient()
  return useRecordForm<Calendar, Values>({
    ...options,
    stored: calendar,
    draftKey: `${name}:${calendar.id}`,
    send: async (values, shown) => {
      const { changes, was } = toPartialUpdate<Values, Values>(values, options.show(shown))
      const body = { ...toChanges(changes), was: toChanges(was) }
      const changed = await callApi(at.updateCalendar, { params: { id: calendar.id }, body })
      updateCachedCalendar(client, changed)
      return changed
    },
    readAgain: () => reloadCalendar(client, calendar),
    onSaved: () => toast.success(saved),
  })
}
