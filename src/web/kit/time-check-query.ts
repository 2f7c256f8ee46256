import { queryOptions } from '@tanstack/react-query'
import * as at from '#contract/operations/addresses.ts'
import { callApi } from '#web/shared/call-api.ts'
import { ownerFreeTimesKey } from './own-times.ts'

/** The time to check: an offered start, or a typed date and clock time in the calendar's zone. Unused fields are empty. */
export type RequestedTime = {
  readonly appointment_type_id: string
  readonly duration: string
  readonly starts_at: string
  readonly date: string
  readonly time: string
}

/** Checks on the server whether a time can be booked. Disabled while `asked` is null. */
export function timeCheckQuery(calendarId: string, asked: Partial<RequestedTime> | null) {
  return queryOptions({
    queryKey: [...ownerFreeTimesKey(calendarId), 'judged', asked],
    queryFn: ({ signal }) =>
      callApi(at.judgeAppointmentTime, {
        params: { id: calendarId },
        query: withoutEmpty(asked ?? {}),
        signal,
      }),
    enabled: asked !== null,
    retry: false,
  })
}

/** Returns the time without its empty fields. */
function withoutEmpty(asked: Partial<RequestedTime>): Partial<RequestedTime> {
  return Object.fromEntries(Object.entries(asked).filter(([, text]) => text !== ''))
}
