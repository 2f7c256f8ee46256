import { confirmationUrlOf, customerPagesOriginOf } from '#core/addresses/public-url.ts'
import { toProfessionalName } from '#core/calendars/professional-name.ts'
import type { ManageLinks } from '#server/platform/secrets/manage-links.ts'
import type { Appointment } from '#server/records/appointments/appointment.ts'
import { toDefaultTitle } from '#server/records/appointments/to-default-title.ts'
import { type AddressSettings, toCalendarAddress } from '#server/records/hostnames/to-calendar-address.ts'
import type { AppointmentMailContent } from './appointment-facts.ts'
import type { SignedLink } from './customer-facts.ts'

/**
 * Collects the data for emails about one appointment. The customer's links use the calendar's own address, the owner's
 * links the installation's. Source: rule J5.
 */
export function toMailFacts(row: Appointment, settings: AddressSettings): AppointmentMailContent {
  const { baseUrl } = settings
  const address = toCalendarAddress(row, settings)
  return {
    appointmentId: row.id,
    bookingReference: row.booking_reference,
    sequence: row.sequence,
    startsAt: row.starts_at.toISOString(),
    endsAt: row.ends_at.toISOString(),
    movedFrom: row.moved_from?.toISOString() ?? null,
    timeZone: row.time_zone,
    customerTimeZone: row.customer_time_zone,
    hourCycle: row.hour_cycle,
    ownerZones: row.owner_zones,
    bookedBy: row.booked_by,
    title: row.title,
    // True when the title is the suggested one, so that nobody has typed a different one.
    isOwnersTitle: row.title === toDefaultTitle(row),
    description: row.description,
    customer: { name: row.customer_name, email: row.customer_email, phone: row.customer_phone },
    owner: { name: row.owner_name, email: row.owner_email },
    calendar: {
      name: row.calendar_name,
      color: row.color,
      professionalName: toProfessionalName(row.professional_first_name, row.professional_last_name),
      slug: row.slug,
    },
    typeName: row.appointment_type_name,
    priceCents: row.price_cents,
    feeNote: row.fee_note,
    currency: row.currency,
    paymentStatus: row.payment_status,
    paidInSandbox: row.paid_in_sandbox,
    policyText: row.policy_text,
    cancelsAlone: row.policy?.cancelling.kind === 'alone',
    movesAlone: row.policy?.moving.kind === 'until',
    cancelledBy: row.cancelled_by,
    refundDueCents: row.refund_due_cents,
    isOnline: row.is_online,
    location: row.location_name === null ? null : { name: row.location_name, address: row.location_address },
    cancelUrl: `${customerPagesOriginOf(address, baseUrl)}/cancel/${row.id}`,
    manageUrl: confirmationUrlOf(address, baseUrl, row.id),
    // URL of the owner's list, filtered to this appointment.
    ownerUrl: `${baseUrl}/calendar/${row.calendar_id}/settings?tab=appointments&filter=all&search=${row.booking_reference}`,
    // `withRecipientLink` adds it.
    stopUrl: null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

/** Returns the current signed link of an appointment. Source: rule R1. */
export function toSignedLink(
  { manageLinks }: { readonly manageLinks: Pick<ManageLinks, 'tokenOf'> },
  { id, link_rotation: rotation }: Pick<Appointment, 'id' | 'link_rotation'>,
): SignedLink {
  return { token: manageLinks.tokenOf({ appointmentId: id, rotation }), isReplaced: rotation > 0 }
}
