import type { AppointmentMailContent } from '#server/messages/emails/appointment-facts.ts'
import type { MailOrigin } from '#server/messages/emails/mail-origin.ts'

export const MAIL_ORIGIN: MailOrigin = {
  from: { name: 'Meridian', address: 'appointments@book.example' },
  host: 'book.example',
}

/**
 * The content of an email about a half-hour appointment with Dr. Grey in London on Tuesday, December 1, 2026 at 9:30 AM, booked
 * by Alex Meyer.
 */
export function makeAppointmentMailContent(
  changes: Partial<AppointmentMailContent> = {},
): AppointmentMailContent {
  return {
    appointmentId: '7f0c6d1e-1f7b-4a4e-9a53-0f5a4f9c2b11',
    bookingReference: 'BK-1795772400123',
    sequence: 0,
    startsAt: '2026-12-01T09:30:00Z',
    endsAt: '2026-12-01T10:00:00Z',
    timeZone: 'Europe/London',
    customerTimeZone: null,
    bookedBy: 'customer',
    title: 'First consultation',
    isOwnersTitle: false,
    description: 'It hurts when I climb stairs.',
    customer: { name: 'Alex Meyer', email: 'alex@mail.example', phone: '+44 20 7946 0123' },
    owner: { name: 'Meredith Grey', email: 'meredith@clinic.example' },
    calendar: {
      name: 'Harley Street Practice',
      color: '#3498db',
      professionalName: 'Dr. Meredith Grey',
      slug: 'dr-grey',
    },
    typeName: 'Consultation',
    priceCents: 4_000,
    currency: 'eur',
    paymentStatus: 'pending',
    paidInSandbox: false,
    isOnline: false,
    location: { name: 'Harley Street Practice', address: '12 Harley Street, London' },
    cancelUrl: 'https://book.example/cancel/7f0c6d1e-1f7b-4a4e-9a53-0f5a4f9c2b11',
    manageUrl:
      'https://book.example/book/dr-grey/confirmation?appointment_id=7f0c6d1e-1f7b-4a4e-9a53-0f5a4f9c2b11',
    ownerUrl: 'https://book.example/dashboard',
    stopUrl: null,
    emailCode: '042817',
    createdAt: '2026-11-20T10:00:00Z',
    updatedAt: '2026-11-21T11:00:00Z',
    ...changes,
  }
}
