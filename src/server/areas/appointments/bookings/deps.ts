import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { JobQueue } from '#server/platform/jobs/job-queue.ts'
import type { Log } from '#server/platform/log.ts'
import type { ManageLinks } from '#server/platform/secrets/manage-links.ts'
import type { PresentTime } from '#server/records/slots/use-cases.ts'
import type { PlanSettings } from '#server/records/subscription/use-cases.ts'

export type BookingsDeps = PlanSettings & {
  readonly db: Db
  readonly now: Clock
  readonly jobs: Pick<JobQueue, 'insert'>
  readonly log: Pick<Log, 'error' | 'warn'>
  /** The product's own address, without a trailing slash. */
  readonly baseUrl: string
  readonly manageLinks: Pick<ManageLinks, 'tokenOf'>
}

/** A time that is about to be taken: by the owner of the calendar, or by a customer on its public page. */
export type TimeToCheck =
  | { readonly by: 'owner'; readonly calendarId: string; readonly startsAtMs: number }
  | {
      readonly by: 'customer'
      readonly slug: string
      /** Null for a booking without a type. */
      readonly typeId: string | null
      readonly startsAtMs: number
      /** Of an appointment that is moved: its present time, which is not in its way. */
      readonly own?: PresentTime
      /** The time is held for this customer, so nobody is offered it. Source: rule Z8. */
      readonly isPromised?: boolean
    }

export type ExternalCheckDeps = {
  /**
   * Brings the copy of the external calendars up to date around a time, where it is not fresh. A provider may be asked, so never call it
   * inside a transaction. It asks nothing for a customer who could not book the time anyway. It never throws: the booking decides about
   * what could not be checked. Source: rule G7.
   */
  readonly checkExternalCalendars: (time: TimeToCheck) => Promise<void>
  /** Checks a time that the owner takes. Returns false when an external calendar could not be checked freshly. Source: rule G28. */
  readonly verifyExternalCalendars: (time: {
    readonly calendarId: string
    readonly startsAtMs: number
  }) => Promise<boolean>
}

/** The time that a customer wants to book. */
export function toTimeToCheck(
  slug: string,
  body: { readonly appointment_type_id?: string | null | undefined; readonly starts_at: string },
): TimeToCheck {
  const { appointment_type_id: typeId = null, starts_at } = body
  return { by: 'customer', slug, typeId, startsAtMs: Date.parse(starts_at) }
}
