import { BOOKING_PROBLEMS } from '#contract/appointments/booking-problems.ts'
import type { CreateBookingBody } from '#contract/appointments/bookings.ts'
import { localDateOf } from '#web/shared/format-date.ts'

/** Whose clock the times are shown on. */
export type ZoneChoice = 'calendar' | 'visitor'

/**
 * What a visitor has chosen and typed so far. A refusal removes nothing of it, except a time that is gone.
 * Source: rule B16.
 */
export type BookingDraft = {
  readonly typeId: string | null
  /** A day of the shown zone. */
  readonly date: string | null
  /** The chosen time, an instant. */
  readonly startsAt: string | null
  /** null until the visitor switches: then the type decides. */
  readonly zone: ZoneChoice | null
  readonly name: string
  readonly email: string
  readonly phone: string
  /** null until the customer edits it: then it fills itself. */
  readonly title: string | null
  readonly notes: string
}

/** The parts of the form that can be wrong, in the order in which they stand on the page. */
export const DRAFT_FIELDS = ['type', 'date', 'time', 'name', 'email', 'phone', 'title', 'notes'] as const
export type DraftField = (typeof DRAFT_FIELDS)[number]
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

/** Another type has other times; choosing the same type again keeps the chosen one. Source: rule B15. */
export function withType(draft: BookingDraft, typeId: string | null): BookingDraft {
  return typeId === draft.typeId ? draft : { ...draft, typeId, startsAt: null }
}

/** Another day has other times; choosing the same day again keeps the chosen one. Source: rule B15. */
export function withDate(draft: BookingDraft, date: string): BookingDraft {
  return date === draft.date ? draft : { ...draft, date, startsAt: null }
}

/** The chosen time stays the same instant; the day it is shown on may change. */
export function withZone(draft: BookingDraft, zone: ZoneChoice, timeZone: string): BookingDraft {
  const date = draft.startsAt === null ? draft.date : localDateOf(draft.startsAt, timeZone)
  return { ...draft, zone, date }
}

/** The missing or wrong fields; empty when the booking may be sent. Source: rule B1. */
export function findErrors(draft: BookingDraft, hasTypes: boolean): DraftErrors {
  const errors: DraftErrors = {}
  if (hasTypes && draft.typeId === null) errors.type = 'Please choose an appointment type'
  if (draft.date === null) errors.date = 'Please choose a date'
  else if (draft.startsAt === null) errors.time = 'Please choose a time'
  if (draft.name.trim() === '') errors.name = 'Please enter your full name'
  if (draft.email.trim() === '') errors.email = 'Please enter your email address'
  else if (!looksLikeEmail(draft.email.trim())) errors.email = BOOKING_PROBLEMS['auth.invalid_email'].title
  return errors
}

/** The sentence for the whole form. A malformed address has its own, when nothing else is wrong. Source: rule B1. */
export function sentenceFor(errors: DraftErrors): string {
  const [only, ...others] = Object.values(errors)
  const malformedEmail = BOOKING_PROBLEMS['auth.invalid_email'].title
  return others.length === 0 && only === malformedEmail
    ? malformedEmail
    : BOOKING_PROBLEMS['booking.incomplete'].title
}

/** Marks for the fields that the server found wrong, by the path of its answer. */
export function errorsFromServer(errors: readonly { path: string; message: string }[]): DraftErrors {
  return Object.fromEntries(
    errors.flatMap(({ path, message }) => {
      const field = FIELD_OF_PATH[path]
      return field === undefined ? [] : [[field, message]]
    }),
  )
}

/**
 * The request that books a draft without errors. `title` is null where the calendar does not ask for one; `policyText` is what
 * stands above the button.
 * Source: rule B11.
 */
export function toBookingBody(
  draft: BookingDraft & { startsAt: string },
  { title, policyText, visitorZone }: { title: string | null; policyText: string; visitorZone: string },
): CreateBookingBody {
  return {
    policy_text: policyText,
    appointment_type_id: draft.typeId,
    starts_at: draft.startsAt,
    time_zone: visitorZone,
    title: title === null ? null : title.trim(),
    description: draft.notes.trim() || null,
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

/** Looks like {email}: something, an at sign, and a domain with a dot. The server looks closer. */
function looksLikeEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@]+\.[^\s@.]+$/.test(text)
}
