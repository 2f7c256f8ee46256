import type { AppointmentRow } from '#contract/appointments/appointments.ts'

/** The fields of an appointment by which sessions are grouped and named. */
type Seat = Pick<AppointmentRow, 'id' | 'status' | 'title'> & {
  readonly session?: AppointmentRow['session'] | undefined
  readonly appointment_types: { readonly name: string } | null
}

/**
 * Groups the seats of each session, in the order of the first of them. An appointment that nobody shares is alone in its
 * group, and so is a cancelled one. Source: rule B59.
 */
export function groupSessions<Row extends Seat>(appointments: readonly Row[]): Row[][] {
  return [...Map.groupBy(appointments, (row) => (isSeat(row) ? row.session?.id : row.id)).values()]
}

/** True if the appointment takes a seat of a session. */
export function isSeat({ session, status }: Seat): boolean {
  return session != null && status !== 'cancelled'
}

/**
 * Returns the appointment that stands for a group: one that needs the owner's decision, or else a confirmed one.
 */
export function chooseRepresentative<Row extends Seat>(group: readonly Row[]): Row | undefined {
  const ofStatus = (wanted: Row['status']) => group.find(({ status }) => status === wanted)
  return ofStatus('pending_cancellation') ?? ofStatus('confirmed') ?? group[0]
}

/** Names a session by its service, and says how many of its seats are taken: `Yoga` and `4 of 8`. */
export function describeSession({ session, appointment_types, title }: Seat): {
  name: string
  taken: string
} {
  return {
    name: appointment_types?.name ?? title,
    taken: session == null ? '' : `${session.seats_taken} of ${session.seats}`,
  }
}
