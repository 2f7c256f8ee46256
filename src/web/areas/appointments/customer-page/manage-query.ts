import { queryOptions } from '@tanstack/react-query'
import * as at from '#contract/operations/addresses.ts'
import { callApi } from '#web/shared/call-api.ts'

/** The appointment that a signed link's token identifies. */
export function customerAppointmentQuery(token: string) {
  return queryOptions({
    queryKey: ['managed-appointment', token],
    queryFn: ({ signal }) => callApi(at.getManagedAppointment, { params: { token }, signal }),
  })
}

/** All of the customer's appointments with the calendar. Requires a session, which starts when they enter an emailed code. */
export function customerAppointmentsQuery(token: string) {
  return queryOptions({
    queryKey: ['managed-appointments', token],
    queryFn: ({ signal }) => callApi(at.listManagedAppointments, { params: { token }, signal }),
  })
}
