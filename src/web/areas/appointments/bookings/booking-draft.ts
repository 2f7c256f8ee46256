import { BOOKING_PROBLEMS } from '#contract/appointments/booking-problems.ts'
import type {
  CreateBookingBody,
  CreateBookingResponse,
  FurtherDates,
} from '#contract/appointments/bookings.ts'
import { localDateOf } from '#web/shared/format-date.ts'

/** The time zone in which times are shown: the calendar's zone or the visitor's. */
export type ZoneKind = 'calendar' | 'visitor'

/**
 * The values that a visitor has chosen and typed so far. When the server refuses the booking, all of them are kept,
 * except a time that is taken. Source: rule B16.
 */
export type BookingDraft = {
  readonly typeId: string | null
  /** The chosen date, in the time zone in which times are shown. */
  readonly date: string | null
  /** The chosen start time, as an instant. */
  readonly startsAt: string | null
  /** The zone that the visitor has switched to; null until they do, in which case the appointment type decides. */
  readonly zone: ZoneKind | null
  readonly name: string
  readonly email: string
  readonly phone: string
  /** The title typed by the customer; null until they edit it, in which case the title is filled in automatically. */
  readonly title: string | null
  readonly notes: string
  /** The answers to the calendar's questions; absent until the customer answers one. Source: rule B33. */
  readonly answers?: CreateBookingBody['answers']
  /** The series that the customer wants; absent while the appointment does not repeat. Source: rule B48. */
  readonly series?: DraftSeries | undefined
}

/** A series, with the customer's choices for its dates. */
export type DraftSeries = FurtherDates & {
  /** The start of the first date. The series does not apply to another start. */
  readonly from: string
  /** How many dates the rule has, with the first one. */
  readonly count: number
  /** The start that the customer chose for a date, by its number; null to leave it out. */
  readonly choices: Readonly<Record<number, string | null>>
}

/** Finds the series of a draft, unless it was chosen for another time. */
export function findDraftSeries({ series, startsAt }: BookingDraft): DraftSeries | undefined {
  return series?.from === startsAt ? series : undefined
}

/** Sends a booking. Resolves to null if nothing is booked yet, for example because the customer has to pay first. */
export type SendBooking = (
  body: CreateBookingBody,
  draft: BookingDraft,
) => Promise<CreateBookingResponse | null>

/** The form fields that can have errors. The field of a question is named as in the server's errors. */
export type DraftField =
  | 'type'
  | 'date'
  | 'time'
  | 'name'
  | 'email'
  | 'phone'
  | 'title'
  | 'notes'
  | `answers.${string}`
export type DraftErrors = Partial<Record<DraftField, string>>

export const EMPTY_DRAFT: BookingDraft = {
  typeId: null,
  date: null,
  startsAt: null,
  zone: null,
  name: '',
  email: '',
  phone: '',
  title: null,
  notes: '',
}

/** Sets the appointment type. A different type clears the chosen time. Source: rule B15. */
export function setDraftType(draft: BookingDraft, typeId: string | null): BookingDraft {
  return typeId === draft.typeId ? draft : { ...draft, typeId, startsAt: null }
}

/** Sets the date. A different date clears the chosen time. Source: rule B15. */
export function setDraftDate(draft: BookingDraft, date: string): BookingDraft {
  return date === draft.date ? draft : { ...draft, date, startsAt: null }
}

/** Sets the zone in which times are shown. Keeps the chosen instant, whose date may differ in the new zone. */
export function setDraftZone(draft: BookingDraft, zone: ZoneKind, timeZone: string): BookingDraft {
  const date = draft.startsAt === null ? draft.date : localDateOf(draft.startsAt, timeZone)
  return { ...draft, zone, date }
}

/** Finds the missing or invalid fields. The result is empty if the booking can be sent. Source: rule B1. */
export function findDraftErrors(draft: BookingDraft, hasTypes: boolean): DraftErrors {
  const errors: DraftErrors = {}
  if (hasTypes && draft.typeId === null) errors.type = 'Please choose an appointment type'
  if (draft.date === null) errors.date = 'Please choose a date'
  else if (draft.startsAt === null) errors.time = 'Please choose a time'
  if (draft.name.trim() === '') errors.name = 'Please enter your full name'
  if (draft.email.trim() === '') errors.email = 'Please enter your email address'
  else if (!looksLikeEmail(draft.email.trim())) errors.email = BOOKING_PROBLEMS['auth.invalid_email'].title
  return errors
}

/** Returns the whole form's error message, which names an invalid email address if that is the only error. Source: rule B1. */
export function formErrorMessage(errors: DraftErrors): string {
  const [only, ...others] = Object.values(errors)
  const malformedEmail = BOOKING_PROBLEMS['auth.invalid_email'].title
  return others.length === 0 && only === malformedEmail
    ? malformedEmail
    : BOOKING_PROBLEMS['booking.incomplete'].title
}

/** Converts the server's field errors to errors in the form's fields. */
export function toDraftErrors(errors: readonly { path: string; message: string }[]): DraftErrors {
  return Object.fromEntries(
    errors.flatMap(({ path, message }) => {
      const field = path.startsWith('answers.') ? path : FIELD_OF_PATH[path]
      return field === undefined ? [] : [[field, message]]
    }),
  )
}

/**
 * Converts a valid draft to the request body. `title` is null if the calendar does not ask for a title. `policyText` is
 * the cancellation policy shown above the button. Source: rule B11.
 */
export function toBookingBody(
  draft: BookingDraft & { startsAt: string },
  { title, policyText, visitorZone }: { title: string | null; policyText: string; visitorZone: string },
): CreateBookingBody {
  const series = findDraftSeries(draft)
  return {
    policy_text: policyText,
    appointment_type_id: draft.typeId,
    starts_at: draft.startsAt,
    series: series && { every_weeks: series.every_weeks, dates: series.dates },
    time_zone: visitorZone,
    title: title === null ? null : title.trim(),
    description: draft.notes.trim() || null,
    answers: draft.answers,
    customer: { name: draft.name.trim(), email: draft.email.trim(), phone: draft.phone.trim() || null },
  }
}

const FIELD_OF_PATH: Readonly<Record<string, DraftField>> = {
  appointment_type_id: 'type',
  starts_at: 'time',
  title: 'title',
  description: 'notes',
  'customer.name': 'name',
  'customer.email': 'email',
  'customer.phone': 'phone',
}

/** True if the text has an at sign and a domain with a dot. The server validates the address more strictly. */
function looksLikeEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@]+\.[^\s@.]+$/.test(text)
}
