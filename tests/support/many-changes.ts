import type { TestMeridian, TestOwner } from './meridian.ts'

type Days = { readonly from: string; readonly to: string }

/**
 * Returns the digest of the effect that an owner is shown before changing several days; `unseen` where the request for these days
 * is refused.
 */
export async function readBulkChangeSummaryEmail(
  meridian: Pick<TestMeridian, 'as'>,
  { cookie }: Pick<TestOwner, 'cookie'>,
  { calendarId, from, to }: Days & { readonly calendarId: string },
): Promise<string> {
  const url = `/api/calendars/${calendarId}/many-changes/effect?${new URLSearchParams({ from, to })}`
  return (await meridian.as({ cookie }).get(url)).json().digest ?? 'unseen'
}
