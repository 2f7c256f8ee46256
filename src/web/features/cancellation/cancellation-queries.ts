import { queryOptions } from '@tanstack/react-query'
import type { CancellationRequestResponse, PublicAppointment } from '#contract/bookings.ts'
import { getJson, sendJson } from '#web/shared/api-client.ts'

function appointmentPath(id: string): string {
  return `/api/public/appointments/${encodeURIComponent(id)}`
}

/** The appointment that the link names. */
export function appointmentQuery(id: string) {
  return queryOptions({
    queryKey: ['appointment', id],
    queryFn: ({ signal }) => getJson<PublicAppointment>(appointmentPath(id), signal),
  })
}

/** Asks the owner to cancel. @throws ApiProblem `appointment.*` when there is nothing to ask for */
export function requestCancellation(id: string): Promise<CancellationRequestResponse> {
  return sendJson<CancellationRequestResponse>('POST', `${appointmentPath(id)}/cancellation-request`)
}
