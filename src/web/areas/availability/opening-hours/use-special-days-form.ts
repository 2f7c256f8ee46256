import { useQueryClient } from '@tanstack/react-query'
import type { FieldPath } from 'react-hook-form'
import { z } from 'zod'
import {
  type NewSpecialDays,
  type SpecialDaysBody,
  type SpecialDaysEntry,
  specialDaysBody,
} from '#contract/availability/special-days.ts'
import type { Calendar } from '#contract/calendars/calendars.ts'
import * as at from '#contract/operations/addresses.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import type { HourCycle } from '#core/shared/hour-cycle.ts'
import { refreshAvailability } from '#web/kit/refresh-availability.ts'
import { type RecordDraft, useRecordForm } from '#web/kit/use-record-form.ts'
import { callApi } from '#web/shared/call-api.ts'
import { findDraft } from '#web/shared/draft.ts'
import { formatShortDate, todayIn } from '#web/shared/format-date.ts'
import { toast } from '#web/ui/toast.tsx'
import { specialDaysQuery } from './availability-queries.ts'
import { formatHoursAsParts } from './special-days.ts'
import { toSpecialDaysBody } from './use-hours-changes.ts'
import { removeSeconds } from './week.ts'

type SaveOptions = {
  calendar: Pick<Calendar, 'id' | 'timezone' | 'hour_cycle'>
  /** The entry to edit, or null for a new one. */
  entry: SpecialDaysEntry | null
  onSaved: () => void
}

const FIELDS: readonly FieldPath<SpecialDaysForm>[] = [
  'first_date',
  'last_date',
  'note',
  'public_note',
  ...Array.from({ length: LIMITS.rangesPerWeekday }, (_, i) => i).flatMap(
    (i) => [`hours.${i}.start_time`, `hours.${i}.end_time`] as const,
  ),
]

/** Manages the form of special days. Source: rule T34. */
export function useSpecialDaysForm({ calendar, entry, onSaved }: SaveOptions) {
  const { id: calendarId, timezone, hour_cycle: hourCycle } = calendar
  const client = useQueryClient()
  const today = todayIn(timezone)
  const isNew = entry === null
  const record = useRecordForm<SpecialDaysEntry | null, SpecialDaysForm, NewSpecialDays>({
    stored: entry,
    draftKey: draftKey(calendarId),
    keepFor: 'login',
    schema: specialDaysForm,
    mode: 'onSubmit',
    show: (shown) => toSpecialDaysForm(shown, today),
    describe: (shown) => describeSpecialDays(shown, hourCycle),
    fields: FIELDS,
    send: async (body, shown) => {
      const saved = await saveSpecialDays(calendarId, body, shown).finally(() => {
        // Refresh after an error response as well, because the data on the screen may be outdated.
        void refreshAvailability(client, calendarId)
      })
      return isNew ? null : saved
    },
    readAgain: async (shown) => {
      const stored = await client.fetchQuery({ ...specialDaysQuery(calendarId), staleTime: 0 })
      return stored.find(({ id }) => id === shown?.id)
    },
    onSaved: () => {
      toast.success(isNew ? 'Days added' : 'Days changed')
      onSaved()
    },
    failed: (sentence) => `Failed to ${isNew ? 'add' : 'change'} days: ${sentence}`,
  })
  return { ...record, today }
}

/** Adds special days, or replaces the entry that the form showed. @throws ApiProblem */
function saveSpecialDays(
  calendarId: string,
  body: NewSpecialDays,
  shown: SpecialDaysEntry | null,
): Promise<SpecialDaysEntry> {
  if (shown === null) return callApi(at.addSpecialDays, { params: { id: calendarId }, body })
  return callApi(at.changeSpecialDays, {
    params: { id: calendarId, special_days_id: shown.id },
    body: { ...body, was: toSpecialDaysBody(shown) },
  })
}

/** Finds the unsaved edits in this calendar that were made before the owner had to log in again. */
export function findSpecialDaysDraft(
  calendarId: string,
): RecordDraft<SpecialDaysEntry | null, SpecialDaysForm> | undefined {
  return findDraft(draftKey(calendarId))
}

function draftKey(calendarId: string): string {
  return `special-days:${calendarId}`
}

/** The typed values, which are then validated by the contract. An empty list of hours means closed. */
const specialDaysForm = z
  .object({
    first_date: z.string().min(1, 'Please choose the first day.'),
    last_date: z.string().min(1, 'Please choose the last day.'),
    hours: z.array(z.object({ start_time: z.string(), end_time: z.string() })),
    note: z.string(),
    public_note: z.string(),
  })
  .transform((typed): SpecialDaysBody => typed)
  .pipe(specialDaysBody)
export type SpecialDaysForm = z.input<typeof specialDaysForm>

/** Returns the initial values: those of the entry, or a new entry that closes today. */
function toSpecialDaysForm(entry: SpecialDaysEntry | null, today: string): SpecialDaysForm {
  return {
    first_date: entry?.first_date ?? today,
    last_date: entry?.last_date ?? today,
    hours: (entry?.hours ?? []).map(removeSeconds),
    note: entry?.note ?? '',
    public_note: entry?.public_note ?? '',
  }
}

/** Converts the values that are not text in the form to readable text. */
function describeSpecialDays({ first_date, last_date, hours }: SpecialDaysEntry, hourCycle: HourCycle) {
  return {
    first_date: formatShortDate(first_date),
    last_date: formatShortDate(last_date),
    hours: formatHoursAsParts(hours, hourCycle).join(' '),
  }
}

export const SPECIAL_DAYS_FIELD_LABELS = {
  first_date: 'First day',
  last_date: 'Last day',
  hours: 'Hours',
  note: 'Note',
  public_note: 'Note to customers',
} as const
