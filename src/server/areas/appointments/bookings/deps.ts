import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { JobQueue } from '#server/platform/jobs/job-queue.ts'
import type { Log } from '#server/platform/log.ts'
import type { ManageLinks } from '#server/platform/secrets/manage-links.ts'
import type { SecretBox } from '#server/platform/secrets/secret-box.ts'
import type { CurrentAppointmentTime } from '#server/records/slots/use-cases.ts'
import type { DefaultPlanSettings } from '#server/records/subscription/use-cases.ts'

export type BookingsDeps = DefaultPlanSettings & {
  readonly db: Db
  readonly now: Clock
  readonly jobs: Pick<JobQueue, 'insert'>
  readonly log: Pick<Log, 'error' | 'warn'>
  /** The product's own URL, without a trailing slash. */
  readonly baseUrl: string
  readonly manageLinks: Pick<ManageLinks, 'tokenOf'>
}

/** A time that is about to be booked: by the calendar's owner, or by a customer on the public page. */
export type TimeToCheck =
  | { readonly by: 'owner'; readonly calendarId: string; readonly startsAtMs: number }
  | {
      readonly by: 'customer'
      readonly slug: string
      /** The appointment type; null for a booking without a type. */
      readonly typeId: string | null
      readonly startsAtMs: number
      /** The current time of an appointment that is being moved; it does not block the new time. */
      readonly own?: CurrentAppointmentTime
      /**
       * True when a waiting-list offer holds the time for this customer, so that nobody else is offered it. Source:
       * rule Z8.
       */
      readonly isPromised?: boolean
    }

export type ExternalCheckDeps = {
  /**
   * Refreshes our copy of the external calendars around a time, if the copy is stale. Never call this inside a
   * transaction, because it may call a provider. Skips the refresh when the customer could not book the time anyway.
   * Never throws: the booking decides about a calendar that could not be checked. Source: rule G7.
   */
  readonly checkExternalCalendars: (time: TimeToCheck) => Promise<void>
  /**
   * Refreshes the external calendars around a time that the owner wants to book. Returns false when one of them could
   * not be checked. Source: rule G28.
   */
  readonly verifyExternalCalendars: (time: {
    readonly calendarId: string
    readonly startsAtMs: number
  }) => Promise<boolean>
}

/** Dependencies of booking by the owner. `secrets` encrypts answers to private questions. */
export type OwnerBookingDeps = BookingsDeps &
  ExternalCheckDeps & { readonly secrets: Pick<SecretBox, 'seal'> }

/** Converts a booking request to the time to check in the external calendars. */
export function toTimeToCheck(
  slug: string,
  body: { readonly appointment_type_id?: string | null | undefined; readonly starts_at: string },
): TimeToCheck {
  const { appointment_type_id: typeId = null, starts_at } = body
  return { by: 'customer', slug, typeId, startsAtMs: Date.parse(starts_at) }
}

/**
 * Dependencies of moving an appointment. `undoSeconds` is the delay of the emails about a move, during which it can be
 * undone.
 */
export type MoveDeps = BookingsDeps & { readonly undoSeconds: number }
