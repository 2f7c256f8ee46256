import { queryOptions } from '@tanstack/react-query'
import type { CancellationRequestResponse, PublicAppointment } from '#contract/appointments/bookings.ts'
import * as at from '#contract/operations/addresses.ts'
import { callApi } from '#web/shared/call-api.ts'

/** The appointment that the link names. */
export function appointmentQuery(id: string) {
  return queryOptions({
    queryKey: ['appointment', id],
    queryFn: ({ signal }) => callApi(at.getPublicAppointmentDetails, { params: { id }, signal }),
  })
}

/** Asks the owner to cancel the appointment that the page shows. @throws ApiProblem `appointment.*` when there is nothing to ask for */
export function requestCancellation({
  id,
  starts_at,
}: Pick<PublicAppointment, 'id' | 'starts_at'>): Promise<CancellationRequestResponse> {
  return callApi(at.requestCancellation, { params: { id }, query: { expected_starts_at: starts_at } })
}
