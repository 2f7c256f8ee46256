/** The paths that the booking page uses at once. A separate file, to keep the page's scripts small; `paths` has all paths. */
export const bookingPaths = {
  home: () => '/',
  book: (slug: string) => `/book/${encodeURIComponent(slug)}`,
  bookConfirmation: (slug: string, appointmentId: string) =>
    `/book/${encodeURIComponent(slug)}/confirmation${toQuery({ appointment_id: appointmentId })}`,
  confirmation: (appointmentId: string) => `/confirmation${toQuery({ appointment_id: appointmentId })}`,
  sandboxMail: () => '/sandbox/mail',
} as const

/** Returns the query of a path, without the parameters that are undefined. */
export function toQuery(values: Record<string, string | undefined>): string {
  const given = Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`
}
