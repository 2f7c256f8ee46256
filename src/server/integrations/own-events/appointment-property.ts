/**
 * The content of the private event property by which we recognise our own events: the appointment and its secret.
 * Source: rule G27.
 */
export type AppointmentProperty = {
  readonly appointmentId: string
  /** The event's secret; null in events written by earlier versions. */
  readonly secret: string | null
}

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const PROPERTY = new RegExp(`^(?<appointmentId>${UUID})(?:[.](?<secret>${UUID}))?$`, 'i')

/** Formats the value of our private property. */
export function toAppointmentProperty(written: {
  readonly appointmentId: string
  readonly secret: string
}): string {
  return `${written.appointmentId}.${written.secret}`
}

/** Parses the value of our private property; null for any other text. */
export function findAppointmentProperty(text: string | null | undefined): AppointmentProperty | null {
  const { appointmentId, secret } = PROPERTY.exec(text ?? '')?.groups ?? {}
  if (appointmentId === undefined) return null
  return { appointmentId: appointmentId.toLowerCase(), secret: secret?.toLowerCase() ?? null }
}
