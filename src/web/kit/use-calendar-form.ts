import { useQueryClient } from '@tanstack/react-query'
import type { FieldValues } from 'react-hook-form'
import type { z } from 'zod'
import type { Calendar, CalendarChanges } from '#contract/calendars/calendars.ts'
import * as at from '#contract/operations/addresses.ts'
import { callApi } from '#web/shared/call-api.ts'
import { toast } from '#web/ui/toast.tsx'
import { readCalendarAgain, showChangedCalendar } from './calendar-cache.ts'
import { toSentChanges } from './changed-fields.ts'
import { useRecordForm } from './use-record-form.ts'

type CalendarFormOptions<Values extends FieldValues> = {
  calendar: Calendar
  /** Names the form among those of a calendar. */
  name: string
  schema: z.ZodType<Values, Values>
  /** What the form shows of a calendar. */
  show: (calendar: Calendar) => Values
  /** The stored values in words, where the form's values are none. */
  describe?: (calendar: Calendar) => Readonly<Record<string, unknown>>
  /** Where some of its fields stand in a calendar. */
  toChanges: (values: Partial<Values>) => CalendarChanges
  /** The toast when it is saved, and when it is not. */
  saved: string
  failed: (sentence: string) => string
}

/** A form about some settings of a calendar. */
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
      const { changes, was } = toSentChanges<Values, Values>(values, options.show(shown))
      const body = { ...toChanges(changes), was: toChanges(was) }
      const changed = await callApi(at.updateCalendar, { params: { id: calendar.id }, body })
      showChangedCalendar(client, changed)
      return changed
    },
    readAgain: () => readCalendarAgain(client, calendar),
    onSaved: () => toast.success(saved),
  })
}
