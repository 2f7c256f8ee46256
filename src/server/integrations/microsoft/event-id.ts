import {
  type AppointmentProperty,
  findAppointmentProperty,
  toAppointmentProperty,
} from '#server/integrations/own-events/appointment-property.ts'

/** Extended property that names an event's appointment, in a property set of our own. */
export const APPOINTMENT_PROPERTY = 'String {7f0f2b4e-8d2c-4b6a-9a55-0c6f6d1f3f61} Name MeridianAppointment'

/**
 * Graph's idempotency key for creating an event. Includes the secret, because view changes do not include our property.
 * `attempt` distinguishes further events of an appointment whose first one was deleted: Graph accepts each key once.
 * Source: rule G10; https://learn.microsoft.com/graph/api/resources/event#properties
 */
export function toTransactionId(
  appointment: { readonly appointmentId: string; readonly secret: string },
  attempt = '',
): string {
  return `meridian-${toAppointmentProperty(appointment)}${attempt === '' ? '' : `-${attempt}`}`
}

/** Ids from before secrets were introduced contain only the appointment. */
const TRANSACTION_ID = /^meridian-([\da-f-]{36}(?:[.][\da-f-]{36})?)(?:-\w+)?$/

type Marks = {
  readonly transactionId?: string | null | undefined
  readonly singleValueExtendedProperties?: readonly { id: string; value: string }[] | null | undefined
}

/** Returns the appointment named in either mark of an event, or null. Source: rule G5. */
export function findAppointment({
  transactionId,
  singleValueExtendedProperties,
}: Marks): AppointmentProperty | null {
  const [, numbered] = TRANSACTION_ID.exec(transactionId ?? '') ?? []
  const property = singleValueExtendedProperties?.find(
    // Graph changes the case of the property set's id.
    ({ id }) => id.toLowerCase() === APPOINTMENT_PROPERTY.toLowerCase(),
  )
  return findAppointmentProperty(property?.value) ?? findAppointmentProperty(numbered)
}
