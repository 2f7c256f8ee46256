import { START_REASON_SENTENCES } from './owner-booking-problems.ts'

/** Refusals about appointments that repeat. */
export const SERIES_PROBLEMS = {
  'series.not_found': { status: 404, title: 'This series no longer exists.' },
  'series.type_has_seats': {
    status: 409,
    title: 'A type with seats can’t repeat. Please book each date on its own.',
  },
  'series.count_invalid': { status: 400, title: 'A series has 2 to 52 dates.' },
  'series.dates_unavailable': {
    status: 409,
    title: 'Some of these dates can’t be booked. Please check them and try again.',
  },
  'series.not_offered': {
    status: 409,
    title: 'These dates can’t be booked together any more. Please choose again.',
  },
  'series.too_many_held': {
    status: 409,
    title: 'You can book up to 8 dates at once here, because you confirm your email address first.',
  },
  'series.too_many_standing': {
    status: 409,
    title: 'A calendar can have up to 50 standing appointments. Please end one first.',
  },
} as const satisfies Record<string, { status: number; title: string }>

/** Tells the owner why a date of a standing appointment was not booked. Source: rule B44. */
export const MISSED_DATE_SENTENCES = {
  ...START_REASON_SENTENCES,
  type_deleted: 'Its appointment type was deleted, so the standing appointment has ended.',
} as const
