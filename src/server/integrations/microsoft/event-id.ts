import {
  type AppointmentProperty,
  findAppointmentProperty,
  toAppointmentProperty,
} from '#server/integrations/own-events/appointment-property.ts'

/** Extended property that names an event's appointment, in a property set of our own. */
export const APPOINTMENT_PROPERTY_ID =
  'String {7f0f2b4e-8d2c-4b6a-9a55-0c6f6d1f3f61} Name MeridianAppointment'

/**
 * Graph's idempotency key for creating an event. Includes the secret, because view changes do not include our property.
 * Graph accepts each key once, so `attempt` distinguishes the events of an appointment whose earlier event was deleted.
 * Source: rule G10; https://learn.microsoft.com/graph/api/resources/event#properties
 */
export function toEventTransactionId(
  appointment: { readonly appointmentId: string; readonly secret: string },
  attempt = '',
): string {
  return `meridian-${toAppointmentProperty(appointment)}${attempt === '' ? '' : `-${attempt}`}`
}

/**
 * Matches a key that we derived, and captures the appointment's id. Keys from before secrets were introduced contain
 * only the appointment.
 */
const TRANSACTION_ID = /^meridian-([\da-f-]{36}(?:[.][\da-f-]{36})?)(?:-\w+)?$/

type Marks = {
  readonly transactionId?: string | null | undefined
  readonly singleValueExtendedProperties?: readonly { id: string; value: string }[] | null | undefined
}

/** Returns the appointment that an event's extended property or its idempotency key names, or null. Source: rule G5. */
export function findAppointmentOfEvent({
  transactionId,
  singleValueExtendedProperties,
}: Marks): AppointmentProperty | null {
  const [, numbered] = TRANSACTION_ID.exec(transactionId ?? '') ?? []
  const property = singleValueExtendedProperties?.find(
    // Compare in lower case: Graph changes the case of the property set's id.
    ({ id }) => id.toLowerCase() === APPOINTMENT_PROPERTY_ID.toLowerCase(),
  )
  return findAppointmentProperty(property?.value) ?? findAppointmentProperty(numbered)
}
