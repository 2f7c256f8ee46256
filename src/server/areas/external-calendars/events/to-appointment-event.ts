import { createHash } from 'node:crypto'
import { localDateOf } from '#core/shared/zoned-time.ts'
import { type AppointmentMailContent, describeLocation } from '#server/messages/emails/appointment-facts.ts'
import {
  isSessionTitle,
  joinParagraphs,
  toCustomerText,
  toIcalUid,
  toNotesText,
  toOpenLinkText,
  toOwnerEventTitle,
  toPriceText,
  toReferenceText,
  toSessionPeopleText,
  toSessionTitle,
} from '#server/messages/emails/event-texts.ts'
import type { MailOrigin } from '#server/messages/emails/mail-origin.ts'
import { toMailFacts } from '#server/messages/emails/to-mail-facts.ts'
import type { AppointmentEventContent } from '#server/ports/external-calendar.ts'
import type { Appointment } from '#server/records/appointments/appointment.ts'
import { toDefaultTitle } from '#server/records/appointments/to-default-title.ts'
import type { AddressSettings } from '#server/records/hostnames/to-calendar-address.ts'

export type EventContent = {
  readonly event: Omit<AppointmentEventContent, 'secret'>
  /** The hash of the content; if the stored hash is equal, the event is already written. */
  readonly hash: string
}

type Surroundings = AddressSettings & {
  readonly origin: Pick<MailOrigin, 'host'>
  /** True when the owner wants no customer data in the external calendar. */
  readonly hidesCustomer: boolean
  /**
   * The event's secret. Null when it has none: in a calendar feed, or for an event written before secrets were
   * introduced. Source: rule G27.
   */
  readonly secret: string | null
  /** The people in the appointment's session; null for an appointment without a session. Source: rule G34. */
  readonly session: SessionPeople | null
}

/** The people in a group session. */
export type SessionPeople = {
  readonly seats: number
  readonly people: number
  /** The names of up to `MOST_NAMES` of them. */
  readonly names: readonly string[]
}

/** Maximum number of names in the event of a session. */
export const MOST_NAMES = 100

/** Returns the event of an appointment or its session as it should be in an external calendar. Source: rules G9 and G34. */
export function toAppointmentEvent(details: Appointment, around: Surroundings): EventContent {
  const facts = toMailFacts(details, around)
  const { secret, session } = around
  const texts = session === null ? toTexts(facts) : toSessionTexts(details, facts, { ...around, ...session })
  const event: EventContent['event'] = {
    appointmentId: facts.appointmentId,
    startMs: details.starts_at.getTime(),
    endMs: details.ends_at.getTime(),
    timeZone: facts.timeZone,
    ...(around.hidesCustomer ? toHiddenTexts(details, around) : texts),
    icalUid: toIcalUid(secret ?? facts.appointmentId, around.origin),
    sequence: facts.sequence,
  }
  // Leave out the sequence number, because a change of it alone is no reason to write the event.
  const { sequence: _sequence, ...content } = event
  return { event, hash: createHash('sha256').update(JSON.stringify(content)).digest('hex') }
}

type Texts = Pick<AppointmentEventContent, 'title' | 'description' | 'location' | 'url'>

function toTexts(facts: AppointmentMailContent): Texts {
  return {
    title: toOwnerEventTitle(facts),
    description: joinParagraphs([
      toCustomerText(facts),
      toPriceText(facts),
      toNotesText(facts),
      toReferenceText(facts),
      toOpenLinkText(facts),
    ]),
    location: describeLocation(facts)?.join(', ') ?? null,
    url: facts.ownerUrl,
  }
}

/** Returns the texts of a session's event. They link to the day of the session, where its owner finds the people. */
function toSessionTexts(
  { calendar_id, time_zone, starts_at, ...details }: Appointment,
  facts: AppointmentMailContent,
  { baseUrl, ...session }: SessionPeople & Pick<Surroundings, 'baseUrl'>,
): Texts {
  const day = localDateOf(starts_at.getTime(), time_zone)
  const url = `${baseUrl}/calendar/${calendar_id}/settings?tab=appointments&view=day&date=${day}`
  return {
    title: toSessionTitle(toDefaultTitle(details), session),
    description: joinParagraphs([`Open the appointments: ${url}`, toSessionPeopleText(session)]),
    location: describeLocation(facts)?.join(', ') ?? null,
    url,
  }
}

/** The title of events while the customer is hidden from the external calendar. */
const HIDDEN_TITLE = 'Booked'

/** Placeholder settings: titles contain no link, so the address settings do not matter. */
const UNUSED_ADDRESS_SETTINGS: AddressSettings = { baseUrl: '', defaultTier: 'free', now: () => 0 }

/** True when we generated this title, with the customer hidden or shown, or for any number of people in a session. */
export function isGeneratedTitle(title: string, details: Appointment): boolean {
  return (
    title === HIDDEN_TITLE ||
    title === toOwnerEventTitle(toMailFacts(details, UNUSED_ADDRESS_SETTINGS)) ||
    (details.session_id !== null && isSessionTitle(title, toDefaultTitle(details)))
  )
}

/**
 * Returns the texts of an event that hides the customer. They link to the list of appointments, because a link to one
 * appointment would contain its reference.
 */
function toHiddenTexts({ calendar_id }: Appointment, { baseUrl }: Surroundings): Texts {
  const url = `${baseUrl}/calendar/${calendar_id}/settings?tab=appointments`
  return { title: HIDDEN_TITLE, description: '', location: null, url }
}
