import { buildLocationEnded } from '#server/messages/emails/location-ended-mail.ts'
import { type MailOrigin, toMessageIdPart } from '#server/messages/emails/mail-origin.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { JobDefinition } from '#server/platform/jobs/job-queue.ts'
import { OWNER_MAIL_RETRIES } from '#server/platform/jobs/retry-policies.ts'
import type { Mailer } from '#server/ports/mailer.ts'
import { findOwnerOfCalendar } from '#server/records/calendars/repository.ts'

type LocationMailJob = {
  readonly calendarId: string
  readonly location: { readonly id: string; readonly name: string; readonly address: string | null }
  /** When the calendar lost the location, as an instant. */
  readonly endedAt: string
  /** True when the location was deleted; absent when its owner merely stopped sharing it with the calendar. */
  readonly isDeleted?: boolean
}

/** Job that notifies an owner that a location is no longer available to one of their calendars. */
export const LOCATION_MAIL_JOB: JobDefinition<LocationMailJob> = {
  name: 'location-mail',
  ...OWNER_MAIL_RETRIES,
}

type LocationMailDeps = {
  readonly db: Db
  readonly mailer: Mailer
  readonly origin: MailOrigin
  readonly baseUrl: string
}

/** Sends the email, unless the calendar was deleted. */
export async function sendLocationMail(
  { db, mailer, origin, baseUrl }: LocationMailDeps,
  { calendarId, location, endedAt, isDeleted = false }: LocationMailJob,
): Promise<void> {
  const found = await findOwnerOfCalendar(db, calendarId)
  if (found === null) return
  const { calendar_name: calendarName, ...owner } = found
  await mailer.send(
    buildLocationEnded(
      {
        deliveryId: `${location.id}.${calendarId}.${toMessageIdPart(endedAt)}`,
        owner,
        calendarName,
        location,
        isDeleted,
        appointmentsUrl: `${baseUrl}/calendar/${calendarId}/settings?tab=appointments`,
      },
      origin,
    ),
  )
}
