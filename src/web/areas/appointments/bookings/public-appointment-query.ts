import { queryOptions } from '@tanstack/react-query'
import * as at from '#contract/operations/addresses.ts'
import { callApi } from '#web/shared/call-api.ts'

/** The details of an appointment that anybody with its link may see. */
export function publicAppointmentQuery(id: string) {
  return queryOptions({
    queryKey: ['appointment', id],
    queryFn: ({ signal }) => callApi(at.getPublicAppointmentDetails, { params: { id }, signal }),
  })
}
