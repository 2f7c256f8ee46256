import type { OutgoingMail } from '#server/ports/mailer.ts'
import {
  type Clock,
  describePreviousStart,
  formatAppointmentTime,
} from '#server/records/appointments/appointment-time.ts'
import {
  formatTimeForReader,
  formatTimeForSubject,
  toAppointmentDetailsBlock,
  toChangeButton,
  toCustomerActions,
  toDatesBlock,
  toLinkedDatesBlock,
  toNotesBlock,
  toPolicyBlock,
  toTimeBlock,
} from './appointment-blocks.ts'
import {
  MAX_SUBJECT_NAME_LENGTH,
  toCustomerMail,
  toMessageIdOccasion,
  toOwnerMail,
} from './appointment-envelope.ts'
import { type AppointmentMailContent, getCustomerClock, getProfessionalName } from './appointment-facts.ts'
import { buildCalendarFile } from './calendar-file.ts'
import { toGreeting, toIsolatedName } from './entered-text.ts'
import type { MailBlock } from './mail-document.ts'
import type { MailOrigin } from './mail-origin.ts'

/** Confirms a booking to the customer, with a calendar invitation. */
export function buildBookingConfirmation(
  facts: AppointmentMailContent,
  origin: MailOrigin,
): Promise<OutgoingMail> {
  const { otherDates } = facts
  if (otherDates !== undefined) {
    return buildCustomerConfirmation(facts, origin, {
      kind: 'booking-confirmation',
      subject: 'Appointments booked',
      heading: 'Appointments booked',
      text: `Your ${otherDates.length + 1} appointments with ${getProfessionalName(facts)} are booked. The attached file adds them to your calendar. Follow a date’s link to change that appointment.`,
      // Without the links to Google and Outlook, because they would add the first date only.
      actions: toLinkedDatesBlock(facts),
      cancelLink: [],
    })
  }
  return buildCustomerConfirmation(facts, origin, {
    kind: 'booking-confirmation',
    subject: 'Booking confirmed',
    heading: 'Booking confirmed',
    text: `Your appointment with ${getProfessionalName(facts)} is booked. The attached file adds it to your calendar.`,
  })
}

/** Tells the customer that a cancelled appointment takes place after all, and adds it to their calendar again. */
export function buildRestoredConfirmation(
  facts: AppointmentMailContent,
  origin: MailOrigin,
): Promise<OutgoingMail> {
  const time =
    facts.knownStartsAt === undefined
      ? 'takes place at the original time.'
      : `has a new time.${describePreviousStart(facts.knownStartsAt, getCustomerClock(facts))}`
  return buildCustomerConfirmation(facts, origin, {
    kind: 'booking-restored',
    subject: 'Appointment restored',
    heading: 'Appointment restored',
    text: `Your appointment with ${getProfessionalName(facts)}, which had been cancelled, is restored and ${time} The attached file adds it back to your calendar.`,
  })
}

const MOVES_IN_CALENDAR =
  'The attached file moves it in your calendar. If you added it with a link to Google or Outlook, please change that entry yourself.'

/** Tells the customer the new time of an appointment. The higher SEQUENCE makes calendar programs update the entry. */
export function buildMovedConfirmation(
  facts: AppointmentMailContent,
  origin: MailOrigin,
): Promise<OutgoingMail> {
  return buildCustomerConfirmation(facts, origin, {
    kind: 'booking-moved',
    subject: 'Appointment moved',
    heading: 'Appointment moved',
    text: `Your appointment with ${getProfessionalName(facts)} has a new time.${movedFrom(facts, getCustomerClock(facts))}`,
    // Without the links to Google and Outlook, because they would add a second entry.
    actions: [{ kind: 'paragraph', text: MOVES_IN_CALENDAR }, toChangeButton(facts)],
  })
}

/**
 * Tells the customer that emails now go to this new address, with the link to their next appointment. Source: rule D13.
 */
export function buildEmailAddressChanged(
  facts: AppointmentMailContent,
  origin: MailOrigin,
): Promise<OutgoingMail> {
  const who = getProfessionalName(facts)
  const { otherAppointments: others = 0 } = facts
  const more =
    others === 0
      ? ''
      : ` You have ${others} more besides the appointment below. To see them all, open its page and enter the code we’ll email you.`
  return buildCustomerConfirmation(facts, origin, {
    kind: 'new-address',
    occasion: toMessageIdOccasion(facts),
    subject: 'Your appointment',
    heading: 'Your new email address',
    text: `${who} changed your email address to this one and will use it from now on. Links in emails to your earlier address no longer work.${more} The attached file adds the appointment to your calendar.`,
  })
}

/** Tells the owner that an appointment was moved because the owner moved its event in the external calendar. */
export function buildOwnerMovedNotice(
  facts: AppointmentMailContent,
  origin: MailOrigin,
): Promise<OutgoingMail> {
  const customer = toIsolatedName(facts.customer.name)
  const told =
    facts.customer.email === null
      ? `${customer} has no email address, so please tell them yourself.`
      : `We’ll email ${customer}.`
  return buildOwnerConfirmation(facts, origin, {
    kind: 'owner-booking-moved',
    subject: 'Appointment moved',
    heading: 'Appointment moved',
    text: `You changed this appointment with ${customer} in your external calendar, so we moved the appointment, too.${movedFrom(facts, facts)} ${told}`,
  })
}

/** Tells the owner that the customer moved an appointment. */
export function buildMovedByCustomerNotice(
  facts: AppointmentMailContent,
  origin: MailOrigin,
): Promise<OutgoingMail> {
  return buildOwnerConfirmation(facts, origin, {
    kind: 'owner-moved-by-customer',
    subject: 'Appointment moved',
    heading: 'Appointment moved by the customer',
    text: `${toIsolatedName(facts.customer.name)} moved this appointment to another time.${movedFrom(facts, facts)}`,
  })
}

/** Returns a sentence, with a leading space, that states the start which the reader of a move message was last told. */
function movedFrom({ knownStartsAt, movedFrom }: AppointmentMailContent, clock: Clock): string {
  return describePreviousStart(knownStartsAt ?? movedFrom, clock)
}

/** Tells the owner about a new booking, with an entry for their own calendar. */
export function buildOwnerBookingNotice(
  facts: AppointmentMailContent,
  origin: MailOrigin,
): Promise<OutgoingMail> {
  const { otherDates } = facts
  const booked = otherDates === undefined ? 'an appointment' : `${otherDates.length + 1} appointments`
  return buildOwnerConfirmation(facts, origin, {
    kind: 'owner-booking-notice',
    subject: 'New booking',
    heading: 'New booking',
    text: `${toIsolatedName(facts.customer.name)} booked ${booked} with you.`,
  })
}

/** Tells the owner that an appointment is confirmed after its payment. */
export function buildOwnerConfirmedNotice(
  facts: AppointmentMailContent,
  origin: MailOrigin,
): Promise<OutgoingMail> {
  return buildOwnerConfirmation(facts, origin, {
    kind: 'owner-booking-confirmed',
    subject: 'Appointment confirmed',
    heading: 'Appointment confirmed',
    text: `The appointment with ${toIsolatedName(facts.customer.name)} is confirmed.`,
  })
}

/** Tells the owner that a cancelled appointment is restored, and adds it to their own calendar again. */
export function buildOwnerRestoredNotice(
  facts: AppointmentMailContent,
  origin: MailOrigin,
): Promise<OutgoingMail> {
  return buildOwnerConfirmation(facts, origin, {
    kind: 'owner-booking-restored',
    subject: 'Appointment restored',
    heading: 'Appointment restored',
    text: `The appointment with ${toIsolatedName(facts.customer.name)}, which had been cancelled, is restored. Its time is no longer free.${describePreviousStart(facts.knownStartsAt, facts)}`,
  })
}

/**
 * Tells the customer that their cancellation request was denied. Nothing has changed, so no calendar file is attached.
 */
export async function buildCancellationDenied(
  given: AppointmentMailContent,
  origin: MailOrigin,
): Promise<OutgoingMail> {
  return toCustomerMail(given, origin, (facts) => {
    const time = formatTimeForReader(facts, 'customer')
    const who = getProfessionalName(facts)
    return {
      kind: 'cancellation-denied',
      // Needed because a customer can ask again and be denied again.
      occasion: toMessageIdOccasion(facts),
      subject: `Your appointment is still on: ${formatTimeForSubject(facts, 'customer')} with ${toIsolatedName(who, MAX_SUBJECT_NAME_LENGTH)}`,
      heading: 'Your appointment is still on',
      preview: formatAppointmentTime(time),
      blocks: [
        { kind: 'paragraph', text: toGreeting(facts.customer.name) },
        {
          kind: 'paragraph',
          text: `You asked to cancel your appointment with ${who}. The request was denied, so your appointment is still on. If you can’t come, please reply to this email.`,
        },
        toTimeBlock(facts, 'customer'),
        toAppointmentDetailsBlock(facts, 'customer'),
        { kind: 'button', label: 'View your booking', url: facts.manageUrl, spelledOut: false },
      ],
      attachments: [],
    }
  })
}

/**
 * Asks the owner to decide about a cancellation request. The appointment is unchanged until then, so no calendar file
 * is attached.
 */
export async function buildOwnerCancellationRequest(
  facts: AppointmentMailContent,
  origin: MailOrigin,
): Promise<OutgoingMail> {
  const time = formatTimeForReader(facts, 'owner')
  const customer = toIsolatedName(facts.customer.name)
  const { otherDates } = facts
  return toOwnerMail(facts, origin, {
    kind: 'owner-cancellation-request',
    // Needed because another request may follow a denied one; it is not a retry of the first.
    occasion: toMessageIdOccasion(facts),
    subject: `Cancellation requested: ${toIsolatedName(customer, MAX_SUBJECT_NAME_LENGTH)}, ${formatTimeForSubject(facts, 'owner')}`,
    heading: 'Cancellation requested',
    preview: formatAppointmentTime(time),
    blocks: [
      {
        kind: 'paragraph',
        text:
          otherDates === undefined
            ? `${customer} has asked to cancel this appointment. It stays in your calendar until you decide.`
            : `${customer} has asked to cancel ${otherDates.length + 1} appointments. They stay in your calendar until you decide about each of them.`,
      },
      toTimeBlock(facts, 'owner'),
      ...toDatesBlock(facts, 'owner'),
      toAppointmentDetailsBlock(facts, 'owner'),
      { kind: 'button', label: 'Review the request', url: facts.ownerUrl, spelledOut: false },
    ],
    attachments: [],
  })
}

/** The texts that differ between the messages that confirm an appointment. */
type Wording = {
  readonly kind: string
  /** Distinguishes messages about the same revision of an appointment. */
  readonly occasion?: string
  /** The beginning of the subject, before the name and the time. */
  readonly subject: string
  readonly heading: string
  readonly text: string
}

type CustomerWording = Wording & {
  /** The blocks that replace `toCustomerActions`. */
  readonly actions?: readonly MailBlock[]
  /** The blocks that replace the link to cancel the appointment. */
  readonly cancelLink?: readonly MailBlock[]
}

async function buildCustomerConfirmation(
  given: AppointmentMailContent,
  origin: MailOrigin,
  { subject, heading, text, actions, cancelLink, ...named }: CustomerWording,
): Promise<OutgoingMail> {
  return toCustomerMail(given, origin, (facts) => {
    const time = formatTimeForReader(facts, 'customer')
    return {
      ...named,
      subject: `${subject}: ${formatTimeForSubject(facts, 'customer')} with ${toIsolatedName(getProfessionalName(facts), MAX_SUBJECT_NAME_LENGTH)}`,
      heading,
      preview: formatAppointmentTime(time),
      blocks: [
        { kind: 'paragraph', text: toGreeting(facts.customer.name) },
        { kind: 'paragraph', text },
        toTimeBlock(facts, 'customer'),
        ...(actions ?? toCustomerActions(facts)),
        toAppointmentDetailsBlock(facts, 'customer'),
        ...toNotesBlock(facts, facts.bookedBy === 'owner' ? 'Notes' : 'Your notes'),
        ...toPolicyBlock(facts),
        ...(cancelLink ?? [
          { kind: 'link', label: 'Cancel this appointment', url: facts.cancelUrl } as const,
        ]),
      ],
      // Source: RFC 5546 §3.2.2: an invitation has one UID, so a file with several dates is published.
      attachments: [
        buildCalendarFile(facts, origin, facts.otherDates === undefined ? 'invitation' : 'customer-copy'),
      ],
    }
  })
}

async function buildOwnerConfirmation(
  facts: AppointmentMailContent,
  origin: MailOrigin,
  { kind, subject, heading, text }: Wording,
): Promise<OutgoingMail> {
  const time = formatTimeForReader(facts, 'owner')
  return toOwnerMail(facts, origin, {
    kind,
    subject: `${subject}: ${toIsolatedName(facts.customer.name, MAX_SUBJECT_NAME_LENGTH)}, ${formatTimeForSubject(facts, 'owner')}`,
    heading,
    preview: formatAppointmentTime(time),
    blocks: [
      { kind: 'paragraph', text },
      toTimeBlock(facts, 'owner'),
      ...toDatesBlock(facts, 'owner'),
      toAppointmentDetailsBlock(facts, 'owner'),
      ...toNotesBlock(facts, facts.bookedBy === 'owner' ? 'Notes' : 'Notes from your customer'),
      { kind: 'button', label: 'Open the appointment', url: facts.ownerUrl, spelledOut: false },
    ],
    attachments: [buildCalendarFile(facts, origin, 'owner-copy')],
  })
}
