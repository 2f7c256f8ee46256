import { queryOptions } from '@tanstack/react-query'
import * as at from '#contract/operations/addresses.ts'
import { callApi } from '#web/shared/call-api.ts'

/** The appointment with this id, as anybody who has its link may see it. */
export function publicAppointmentQuery(id: string) {
  return queryOptions({
    queryKey: ['appointment', id],
    queryFn: ({ signal }) => callApi(at.getPublicAppointmentDetails, { params: { id }, signal }),
  })
}
