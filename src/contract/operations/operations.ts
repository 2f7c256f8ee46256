import { appointmentTypeOperations } from './appointment-types.ts'
import { appointmentOperations } from './appointments.ts'
import { availabilityOperations } from './availability.ts'
import { bookingOperations } from './bookings.ts'
import { brandingOperations } from './branding.ts'
import { calendarOperations } from './calendars.ts'
import { checkoutOperations } from './checkouts.ts'
import { contactOperations } from './contact.ts'
import { customerMoveOperations } from './customer-moves.ts'
import { customerOperations } from './customers.ts'
import { domainOperations } from './domains.ts'
import { emailConfirmationOperations } from './email-confirmations.ts'
import { externalCalendarOperations } from './external-calendars.ts'
import { externalChangeOperations } from './external-changes.ts'
import { hostOperations } from './hosts.ts'
import { insightOperations } from './insights.ts'
import { locationOperations } from './locations.ts'
import { managedAppointmentOperations } from './managed-appointments.ts'
import { manyChangeOperations } from './many-changes.ts'
import { messageOperations } from './messages.ts'
import { paymentOperations } from './payments.ts'
import { peopleOperations } from './people.ts'
import { profileOperations } from './profile.ts'
import { registrationOperations } from './registrations.ts'
import { securityOperations } from './security.ts'
import { sessionOperations } from './sessions.ts'
import { slotOperations } from './slots.ts'
import { specialDaysOperations } from './special-days.ts'
import { subscriptionOperations } from './subscription.ts'
import { transactionOperations } from './transactions.ts'
import { waitingOperations } from './waiting.ts'
import { webhookOperations } from './webhooks.ts'

/** Every operation of the API. */
export const OPERATIONS = {
  ...calendarOperations,
  ...peopleOperations,
  ...hostOperations,
  ...domainOperations,
  ...brandingOperations,
  ...appointmentTypeOperations,
  ...locationOperations,
  ...availabilityOperations,
  ...specialDaysOperations,
  ...slotOperations,
  ...bookingOperations,
  ...checkoutOperations,
  ...waitingOperations,
  ...emailConfirmationOperations,
  ...managedAppointmentOperations,
  ...customerMoveOperations,
  ...webhookOperations,
  ...contactOperations,
  ...customerOperations,
  ...appointmentOperations,
  ...insightOperations,
  ...externalChangeOperations,
  ...manyChangeOperations,
  ...messageOperations,
  ...paymentOperations,
  ...transactionOperations,
  ...subscriptionOperations,
  ...profileOperations,
  ...registrationOperations,
  ...sessionOperations,
  ...securityOperations,
  ...externalCalendarOperations,
}

type Operations = typeof OPERATIONS

/** The operations by their addresses, for calls: an address gives the types of what is sent and answered. */
export type OperationsByAddress = {
  readonly [Name in keyof Operations as Operations[Name]['address']]: Operations[Name]
}
