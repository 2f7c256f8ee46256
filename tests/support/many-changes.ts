import type { TestMeridian, TestOwner } from './meridian.ts'

type Days = { readonly from: string; readonly to: string }

/** The digest of what an owner reads before a change of some days. `unseen` where these days cannot be asked about. */
export async function readDigest(
  meridian: Pick<TestMeridian, 'as'>,
  { cookie }: Pick<TestOwner, 'cookie'>,
  { calendarId, from, to }: Days & { readonly calendarId: string },
): Promise<string> {
  const url = `/api/calendars/${calendarId}/many-changes/effect?${new URLSearchParams({ from, to })}`
  return (await meridian.as({ cookie }).get(url)).json().digest ?? 'unseen'
}
