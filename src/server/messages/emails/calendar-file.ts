import ical, {
  ICalAttendeeRole,
  ICalAttendeeStatus,
  ICalAttendeeType,
  ICalCalendarMethod,
  ICalEventBusyStatus,
  type ICalEventData,
  ICalEventStatus,
  ICalEventTransparency,
} from 'ical-generator'
import { Temporal } from 'temporal-polyfill'
import type { MailAttachment } from '#server/ports/mailer.ts'
import {
  type Clock,
  describeAppointmentTime,
  formatAppointmentTime,
} from '#server/records/appointments/appointment-time.ts'
import {
  type AppointmentMailContent,
  describeLocation,
  getCustomerAddress,
  getCustomerClock,
  getProfessionalName,
} from './appointment-facts.ts'
import { toSingleLine } from './entered-text.ts'
import {
  joinParagraphs,
  toCustomerText,
  toEntryTitle,
  toIcalUid,
  toNotesText,
  toOpenLinkText,
  toOwnerEventTitle,
  toReferenceText,
} from './event-texts.ts'
import type { MailOrigin } from './mail-origin.ts'

/**
 * The kinds of calendar files (RFC 5546). An invitation is a REQUEST; CANCEL removes the entry. The owner gets PUBLISH
 * without attendees, because mail clients show no useful actions to the organizer of a REQUEST; CANCEL removes a
 * published entry too. A file downloaded from the customer's page is PUBLISH too, because nobody has to reply. Source:
 * rule M13.
 */
export type CalendarFileKind =
  | 'invitation'
  | 'cancellation'
  | 'customer-copy'
  | 'owner-copy'
  | 'owner-cancellation'

/**
 * Builds the calendar file of one appointment, or of all dates of a series.
 *
 * Times are UTC instants (`DTSTART:20261201T093000Z`), which every calendar program shows in its reader's zone without
 * needing zone rules. The description names the local time. The UID is the same in every file of an appointment.
 * SEQUENCE shows which file is newer. DTSTAMP is the time of the appointment's last change, so that a retried message
 * is identical to the first.
 *
 * Source: RFC 5545, RFC 5546, RFC 6868 (quotes in names); rule M13.
 */
export function buildCalendarFile(
  facts: AppointmentMailContent,
  origin: MailOrigin,
  kind: CalendarFileKind,
): MailAttachment {
  const method = METHODS[kind]
  const calendar = ical({ prodId: PRODUCT, method })
  for (const each of [facts, ...(facts.otherDates ?? [])]) {
    calendar.createEvent({ ...commonParts(each, origin), ...PARTS[kind](each) })
  }
  return {
    filename: method === ICalCalendarMethod.CANCEL ? 'appointment-cancelled.ics' : 'appointment.ics',
    contentType: `text/calendar; charset=utf-8; method=${method}`,
    content: calendar.toString(),
  }
}

/** An appointment in the feed, with the same texts as in the owner's own events. */
type FeedEntry = {
  readonly facts: AppointmentMailContent
  readonly texts: {
    readonly title: string
    readonly description: string
    readonly location: string | null
    readonly url: string
  }
}

/** Interval at which calendar programs should poll the feed, in seconds; many poll less often. */
const FEED_TTL_SECONDS = 15 * 60

/** Builds the file of a calendar that programs subscribe to, with the same UIDs as in emails. Source: rule G22. */
export function buildCalendarFeed(name: string, entries: readonly FeedEntry[], origin: MailOrigin): string {
  const calendar = ical({
    prodId: PRODUCT,
    method: ICalCalendarMethod.PUBLISH,
    name: toSingleLine(name),
    ttl: FEED_TTL_SECONDS,
  })
  for (const { facts, texts } of entries) {
    const { title: summary, description, location, url } = texts
    // The feed is the owner's own calendar, so its entries need no organizer.
    const { organizer: _organizer, ...parts } = commonParts(facts, origin)
    calendar.createEvent({ ...parts, summary, description, location, url })
  }
  return calendar.toString()
}

const PRODUCT = '//Meridian//Appointments//EN'

const METHODS = {
  invitation: ICalCalendarMethod.REQUEST,
  cancellation: ICalCalendarMethod.CANCEL,
  'customer-copy': ICalCalendarMethod.PUBLISH,
  'owner-copy': ICalCalendarMethod.PUBLISH,
  'owner-cancellation': ICalCalendarMethod.CANCEL,
} as const satisfies Record<CalendarFileKind, ICalCalendarMethod>

/** Properties of a cancelled entry. Its revision is later than that of the event that it cancels (RFC 5546 §3.2.5). */
const CANCELLED_PARTS = {
  status: ICalEventStatus.CANCELLED,
  busystatus: ICalEventBusyStatus.FREE,
  transparency: ICalEventTransparency.TRANSPARENT,
} as const

const PARTS = {
  invitation: customerParts,
  cancellation: (facts) => ({
    ...customerParts(facts),
    ...CANCELLED_PARTS,
    url: null,
    description: joinParagraphs([
      `This appointment with ${getProfessionalName(facts)} has been cancelled.`,
      toReferenceText(facts),
    ]),
  }),
  'customer-copy': customerTexts,
  'owner-copy': ownerParts,
  'owner-cancellation': (facts) => ({ ...ownerParts(facts), ...CANCELLED_PARTS }),
} as const satisfies Record<CalendarFileKind, (facts: AppointmentMailContent) => Partial<ICalEventData>>

function commonParts(facts: AppointmentMailContent, origin: MailOrigin): ICalEventData {
  return {
    id: toIcalUid(facts.appointmentId, origin),
    sequence: facts.sequence,
    start: toDate(facts.startsAt),
    end: toDate(facts.endsAt),
    stamp: toDate(facts.updatedAt),
    created: toDate(facts.createdAt),
    lastModified: toDate(facts.updatedAt),
    location: describeLocation(facts)?.join(', ') ?? null,
    status: ICalEventStatus.CONFIRMED,
    busystatus: ICalEventBusyStatus.BUSY,
    transparency: ICalEventTransparency.OPAQUE,
    // The owner is the organizer, so that replies reach the owner. The operator sends on the owner's behalf (RFC 5545
    // §3.2.18).
    organizer: {
      name: toParameter(getProfessionalName(facts)),
      email: toSingleLine(facts.owner.email),
      sentBy: toSingleLine(origin.from.address),
    },
  }
}

function customerTexts(facts: AppointmentMailContent): Partial<ICalEventData> {
  return {
    summary: toEntryTitle(facts.title, getProfessionalName(facts)),
    url: facts.manageUrl,
    description: joinParagraphs([
      describeTimeOn(facts, getCustomerClock(facts)),
      toNotesText(facts),
      toReferenceText(facts),
      `View your booking: ${facts.manageUrl}`,
      `Cancel this appointment: ${facts.cancelUrl}`,
    ]),
  }
}

function customerParts(facts: AppointmentMailContent): Partial<ICalEventData> {
  return {
    ...customerTexts(facts),
    attendees: [
      {
        // Leave out a name that could be a link.
        name: toParameter(facts.customer.name) || 'Customer',
        email: toSingleLine(getCustomerAddress(facts)),
        // Booking counts as accepting, so no reply is requested.
        status: ICalAttendeeStatus.ACCEPTED,
        rsvp: false,
        role: ICalAttendeeRole.REQ,
        type: ICalAttendeeType.INDIVIDUAL,
      },
    ],
  }
}

function ownerParts(facts: AppointmentMailContent): Partial<ICalEventData> {
  return {
    summary: toOwnerEventTitle(facts),
    url: facts.ownerUrl,
    description: joinParagraphs([
      describeTimeOn(facts, facts),
      toCustomerText(facts),
      toNotesText(facts),
      toReferenceText(facts),
      toOpenLinkText(facts),
    ]),
  }
}

function describeTimeOn({ startsAt, endsAt }: AppointmentMailContent, clock: Clock): string {
  return formatAppointmentTime(describeAppointmentTime(startsAt, endsAt, clock))
}

/**
 * Escapes a name for use as a property parameter. A backslash has no special meaning there (RFC 5545 §3.2), but some
 * readers take it for the start of a line break.
 */
function toParameter(name: string): string {
  return toSingleLine(name).replaceAll('\\', '/')
}

/**
 * Convert to a Date without a zone, which ical-generator writes as UTC; with a zone, it would use the server's clock.
 */
function toDate(instant: string): Date {
  return new Date(Temporal.Instant.from(instant).epochMilliseconds)
}
