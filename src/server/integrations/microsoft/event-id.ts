import { z } from 'zod'

/** The extended property that names the appointment of an event, in a set of properties of our own. */
export const APPOINTMENT_PROPERTY = 'String {7f0f2b4e-8d2c-4b6a-9a55-0c6f6d1f3f61} Name MeridianAppointment'

/**
 * By it Graph knows a repeated request to create an event. `attempt` tells apart the events of an appointment whose first one was
 * removed: Graph takes no number twice. Source: rule G10; https://learn.microsoft.com/graph/api/resources/event#properties
 */
export function toTransactionId(appointmentId: string, attempt = ''): string {
  return `meridian-${appointmentId.toLowerCase()}${attempt === '' ? '' : `-${attempt}`}`
}

type Marks = {
  readonly transactionId?: string | null | undefined
  readonly singleValueExtendedProperties?: readonly { id: string; value: string }[] | null | undefined
}

/** The appointment of an event that we wrote, by either mark; null for anybody else's. Source: rule G5. */
export function findAppointmentId({ transactionId, singleValueExtendedProperties }: Marks): string | null {
  const [, numbered] = /^meridian-([\da-f-]{36})(?:-\w+)?$/.exec(transactionId ?? '') ?? []
  const property = singleValueExtendedProperties?.find(
    // Graph writes the letters of the set in its own way.
    ({ id }) => id.toLowerCase() === APPOINTMENT_PROPERTY.toLowerCase(),
  )
  return (
    [property?.value, numbered].map((text) => z.uuid().safeParse(text)).find(({ success }) => success)
      ?.data ?? null
  )
}
