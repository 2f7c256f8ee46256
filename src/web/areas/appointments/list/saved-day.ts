import type { AppointmentRow, OwnerDayResponse } from '#contract/appointments/appointments.ts'
import { HOUR_MS } from '#core/shared/duration.ts'
import { deleteSavedDay, SAVED_DAY_KEY } from '#web/shared/saved-day.ts'

/** An appointment's data for a line in the day view. Excludes the customer's notes, which may be about their health. */
export type DayAppointment = Pick<
  AppointmentRow,
  | 'id'
  | 'calendar_id'
  | 'calendar_name'
  | 'date'
  | 'starts_at'
  | 'ends_at'
  | 'time_zone'
  | 'hour_cycle'
  | 'title'
  | 'typed_title'
  | 'status'
  | 'payment_status'
  | 'awaits_email_code'
  | 'is_offer'
  | 'is_test'
  | 'paid_in_sandbox'
  | 'is_online'
  | 'price'
  | 'currency'
  | 'location'
  | 'color'
  | 'no_show'
  | 'delay'
  | 'undelivered_messages'
> & {
  readonly customers: Pick<AppointmentRow['customers'], 'name' | 'email' | 'phone'> &
    // Missing if an earlier version of the page saved the day.
    Partial<Pick<AppointmentRow['customers'], 'phone_numbers'>>
  readonly calendar_color?: string | undefined
  // Missing if an earlier version of the page saved the day.
  readonly session?: AppointmentRow['session'] | undefined
  readonly refund?: AppointmentRow['refund'] | undefined
  readonly appointment_types: { readonly name: string } | null
}

export type SavedDay = { readonly as_of: string; readonly appointments: readonly DayAppointment[] }
type Stored = SavedDay & { readonly owner_id: string }

/** Maximum age of a saved day, in milliseconds. Older days are deleted. Source: rule Y8. */
const LONGEST_KEPT_MS = 48 * HOUR_MS

/** Saves the owner's day in the browser. Replaces any other saved day. Source: rule Y8. */
export function saveDay(ownerId: string, { as_of, appointments }: OwnerDayResponse): void {
  const stored: Stored = { owner_id: ownerId, as_of, appointments: appointments.map(toKept) }
  try {
    localStorage.setItem(SAVED_DAY_KEY, JSON.stringify(stored))
  } catch {
    // Storage is full or blocked, so this day will not be available offline.
  }
}

/**
 * Reads the owner's saved day. Returns null, and deletes the day, if it is too old or another owner's. Without `ownerId`
 * (offline, when the session is unknown), reads the day of the owner who was logged in last. Source: rule Y8.
 */
export function readSavedDay(ownerId: string | null, nowMs: number): SavedDay | null {
  const stored = read()
  if (stored === null) return null
  const isTooOld = nowMs - Date.parse(stored.as_of) > LONGEST_KEPT_MS
  if (!isTooOld && (ownerId === null || ownerId === stored.owner_id)) return stored
  deleteSavedDay()
  return null
}

function read(): Stored | null {
  try {
    return JSON.parse(localStorage.getItem(SAVED_DAY_KEY) ?? 'null') as Stored | null // safe: written by `saveDay`
  } catch {
    return null
  }
}

function toKept(row: AppointmentRow): DayAppointment {
  const { name, email, phone, phone_numbers } = row.customers
  return {
    id: row.id,
    calendar_id: row.calendar_id,
    calendar_name: row.calendar_name,
    calendar_color: row.calendar_color,
    date: row.date,
    starts_at: row.starts_at,
    ends_at: row.ends_at,
    time_zone: row.time_zone,
    hour_cycle: row.hour_cycle,
    title: row.title,
    typed_title: row.typed_title,
    status: row.status,
    payment_status: row.payment_status,
    awaits_email_code: row.awaits_email_code,
    is_offer: row.is_offer,
    is_test: row.is_test,
    paid_in_sandbox: row.paid_in_sandbox,
    is_online: row.is_online,
    price: row.price,
    currency: row.currency,
    location: row.location,
    color: row.color,
    no_show: row.no_show,
    delay: row.delay,
    undelivered_messages: row.undelivered_messages,
    session: row.session,
    refund: row.refund,
    customers: { name, email, phone, phone_numbers },
    appointment_types: row.appointment_types === null ? null : { name: row.appointment_types.name },
  }
}
