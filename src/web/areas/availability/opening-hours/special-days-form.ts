import { z } from 'zod'
import {
  type SpecialDaysBody,
  type SpecialDaysEntry,
  specialDaysBody,
} from '#contract/availability/special-days.ts'
import { formatShortDate } from '#web/shared/format-date.ts'
import { toHourParts } from './special-days.ts'
import { toTyped } from './week.ts'

/** The fields as they are typed. The contract checks them afterwards. Without hours the days are closed. */
export const specialDaysForm = z
  .object({
    first_date: z.string().min(1, 'Please choose the first day.'),
    last_date: z.string().min(1, 'Please choose the last day.'),
    hours: z.array(z.object({ start_time: z.string(), end_time: z.string() })),
    note: z.string(),
  })
  .transform((typed): SpecialDaysBody => typed)
  .pipe(specialDaysBody)
export type SpecialDaysForm = z.input<typeof specialDaysForm>

/** The first values of the dialog: those of the entry, or a new one that closes today. */
export function toSpecialDaysForm(entry: SpecialDaysEntry | null, today: string): SpecialDaysForm {
  return {
    first_date: entry?.first_date ?? today,
    last_date: entry?.last_date ?? today,
    hours: (entry?.hours ?? []).map(toTyped),
    note: entry?.note ?? '',
  }
}

/** The texts of an entry, for values that are not text in the form. */
export function describeSpecialDays({ first_date, last_date, hours }: SpecialDaysEntry) {
  return {
    first_date: formatShortDate(first_date),
    last_date: formatShortDate(last_date),
    hours: toHourParts(hours).join(' '),
  }
}

export const SPECIAL_DAYS_LABELS = {
  first_date: 'First day',
  last_date: 'Last day',
  hours: 'Hours',
  note: 'Note',
} as const
