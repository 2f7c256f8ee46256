import { useQueryClient } from '@tanstack/react-query'
import type { FieldPath } from 'react-hook-form'
import type { NewSpecialDays, SpecialDaysEntry } from '#contract/availability/special-days.ts'
import type { Calendar } from '#contract/calendars/calendars.ts'
import * as at from '#contract/operations/addresses.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { refreshAvailability } from '#web/kit/refresh-availability.ts'
import { type RecordDraft, useRecordForm } from '#web/kit/use-record-form.ts'
import { callApi } from '#web/shared/call-api.ts'
import { findDraft } from '#web/shared/draft.ts'
import { localDateOf } from '#web/shared/format-date.ts'
import { toast } from '#web/ui/toast.tsx'
import { specialDaysQuery } from './availability-queries.ts'
import {
  describeSpecialDays,
  type SpecialDaysForm,
  specialDaysForm,
  toSpecialDaysForm,
} from './special-days-form.ts'
import { toSpecialDaysBody } from './use-special-days-changes.ts'

type SaveOptions = {
  calendar: Pick<Calendar, 'id' | 'timezone'>
  /** The entry to change, or null to add one. */
  entry: SpecialDaysEntry | null
  onSaved: () => void
}

const FIELDS: readonly FieldPath<SpecialDaysForm>[] = [
  'first_date',
  'last_date',
  'note',
  ...Array.from({ length: LIMITS.rangesPerWeekday }, (_, i) => i).flatMap(
    (i) => [`hours.${i}.start_time`, `hours.${i}.end_time`] as const,
  ),
]

/** The form of days with hours of their own, and its saving. Source: rule T34. */
export function useSaveSpecialDays({ calendar: { id: calendarId, timezone }, entry, onSaved }: SaveOptions) {
  const client = useQueryClient()
  const today = localDateOf(new Date().toISOString(), timezone)
  const isNew = entry === null
  const record = useRecordForm<SpecialDaysEntry | null, SpecialDaysForm, NewSpecialDays>({
    stored: entry,
    draftKey: draftKey(calendarId),
    keepFor: 'login',
    schema: specialDaysForm,
    mode: 'onSubmit',
    show: (shown) => toSpecialDaysForm(shown, today),
    describe: describeSpecialDays,
    fields: FIELDS,
    send: async (body, shown) => {
      const saved = await saveSpecialDays(calendarId, body, shown).finally(() => {
        // Also after a refusal: what is stored is not what was on the screen.
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

/** Adds special days, or puts others in the place of those that were shown. @throws ApiProblem */
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

/** What was typed into the dialog of this calendar, from before a login. */
export function findSpecialDaysDraft(
  calendarId: string,
): RecordDraft<SpecialDaysEntry | null, SpecialDaysForm> | undefined {
  return findDraft(draftKey(calendarId))
}

function draftKey(calendarId: string): string {
  return `special-days:${calendarId}`
}
