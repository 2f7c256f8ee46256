import { type CalendarAccess, CalendarProviderError } from '#server/ports/external-calendar.ts'

/** Access to a calendar account that records renewed credentials, as the connection's row does. */
export function makeCalendarAccess(credentials: string): CalendarAccess & { readonly saved: string[] } {
  const saved: string[] = []
  return {
    credentials,
    saved,
    saveCredentials: async (renewed) => {
      saved.push(renewed)
      return renewed
    },
  }
}

/** Returns the error that a call to a provider fails with. */
export async function catchCalendarProviderError(work: Promise<unknown>): Promise<CalendarProviderError> {
  const error: unknown = await work.then(
    () => null,
    (reason) => reason,
  )
  if (error instanceof CalendarProviderError) return error
  throw new Error('it did not fail as a provider does', { cause: error })
}
