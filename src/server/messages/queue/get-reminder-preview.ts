import { Temporal } from 'temporal-polyfill'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { toProfessionalName } from '#core/calendars/professional-name.ts'
import type { AppointmentMailContent } from '#server/messages/emails/appointment-facts.ts'
import { toMailOrigin } from '#server/messages/emails/mail-origin.ts'
import { buildReminder } from '#server/messages/emails/reminder-mail.ts'
import { toMailFacts } from '#server/messages/emails/to-mail-facts.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { OutgoingMail } from '#server/ports/mailer.ts'
import { listFutureAppointmentDetails } from '#server/records/appointments/details-repository.ts'
import { addMailBranding } from '#server/records/branding/use-cases.ts'
import { toReminderSettings } from '#server/records/calendars/to-reminder-settings.ts'
import { getCalendarSettings } from '#server/records/calendars/use-cases.ts'
import type { MessagesDeps } from './owner-use-cases.ts'

/**
 * Previews a reminder with an unsaved template, for the next appointment of the calendar or an example. Nothing is
 * sent. Source: rule M20.
 * @throws ProblemError `calendar.not_found`, `calendar.forbidden`
 */
export async function getReminderPreview(
  deps: MessagesDeps,
  ownerId: OwnerId,
  { calendarId, template }: { readonly calendarId: string; readonly template: string },
): Promise<OutgoingMail> {
  const calendar = await getCalendarSettings(deps, ownerId, calendarId)
  const now = new Date(deps.now())
  const [next] = await listFutureAppointmentDetails(deps.db, calendar.id, { now, after: undefined, limit: 1 })
  const plain = next === undefined ? makeSampleFacts(calendar, deps) : toMailFacts(next, deps)
  const facts = await addMailBranding(deps, calendar.id, plain)
  const settings = toReminderSettings({ template }, { calendarName: calendar.name, mailFrom: deps.mailFrom })
  // A customer who booked by phone may have no email address, so use the owner's: the preview is not sent anyway.
  const customer = { ...facts.customer, email: facts.customer.email ?? facts.owner.email }
  return buildReminder({ ...facts, customer }, toMailOrigin(deps), settings)
}

/** Makes up an example appointment for tomorrow at 10:00, as the page says. */
function makeSampleFacts(calendar: Calendar, { now, baseUrl }: MessagesDeps): AppointmentMailContent {
  const starts = Temporal.Instant.fromEpochMilliseconds(now())
    .toZonedDateTimeISO(calendar.timezone)
    .add({ days: 1 })
    .withPlainTime('10:00')
  const name = toProfessionalName(calendar.professional_first_name, calendar.professional_last_name)
  const madeAt = new Date(now()).toISOString()
  return {
    appointmentId: calendar.id,
    bookingReference: `BK-${now()}`,
    sequence: 0,
    startsAt: starts.toInstant().toString(),
    endsAt: starts.add({ minutes: 30 }).toInstant().toString(),
    timeZone: calendar.timezone,
    hourCycle: calendar.hour_cycle,
    customerTimeZone: null,
    bookedBy: 'customer',
    title: 'Appointment',
    isOwnersTitle: true,
    description: null,
    customer: { name: 'Alex Morgan', email: null, phone: null },
    owner: { name: name ?? '', email: 'owner@example.org' },
    calendar: {
      name: calendar.name,
      color: calendar.color,
      professionalName: name,
      slug: calendar.slug,
    },
    typeName: null,
    priceCents: null,
    currency: 'eur',
    paymentStatus: 'not_required',
    paidInSandbox: false,
    isOnline: false,
    location: null,
    cancelUrl: calendar.public_url,
    manageUrl: calendar.public_url,
    ownerUrl: baseUrl,
    stopUrl: null,
    createdAt: madeAt,
    updatedAt: madeAt,
  }
}
