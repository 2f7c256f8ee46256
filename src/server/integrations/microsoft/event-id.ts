import {
  type AppointmentProperty,
  findAppointmentProperty,
  toAppointmentProperty,
} from '#server/integrations/own-events/appointment-property.ts'

/** The extended property that names the appointment of an event, in a set of properties of our own. */
export const APPOINTMENT_PROPERTY = 'String {7f0f2b4e-8d2c-4b6a-9a55-0c6f6d1f3f61} Name MeridianAppointment'

/**
 * By it Graph knows a repeated request to create an event. It has the secret as well, because changes of a view come without our
 * property. `attempt` tells apart the events of an appointment whose first one was removed: Graph takes no number twice.
 * Source: rule G10; https://learn.microsoft.com/graph/api/resources/event#properties
 */
export function toTransactionId(
  appointment: { readonly appointmentId: string; readonly secret: string },
  attempt = '',
): string {
  return `meridian-${toAppointmentProperty(appointment)}${attempt === '' ? '' : `-${attempt}`}`
}

/** Before there were secrets, it had none. */
const TRANSACTION_ID = /^meridian-([\da-f-]{36}(?:[.][\da-f-]{36})?)(?:-\w+)?$/

type Marks = {
  readonly transactionId?: string | null | undefined
  readonly singleValueExtendedProperties?: readonly { id: string; value: string }[] | null | undefined
}

/** The appointment that an event names, by either mark; null when it names none. Source: rule G5. */
export function findAppointment({
  transactionId,
  singleValueExtendedProperties,
}: Marks): AppointmentProperty | null {
  const [, numbered] = TRANSACTION_ID.exec(transactionId ?? '') ?? []
  const property = singleValueExtendedProperties?.find(
    // Graph writes the letters of the set in its own way.
    ({ id }) => id.toLowerCase() === APPOINTMENT_PROPERTY.toLowerCase(),
  )
  return findAppointmentProperty(property?.value) ?? findAppointmentProperty(numbered)
}
