/** Whether a stand-in of a provider of calendars is asked, and where its calendar page is. */
export function sandboxPageOf({
  sandboxUrl,
}: {
  /** Where the stand-in listens, without a path. Absent: the provider itself. */
  readonly sandboxUrl?: string
}): { readonly isSandbox: boolean; readonly sandboxPage?: string } {
  return sandboxUrl === undefined
    ? { isSandbox: false }
    : { isSandbox: true, sandboxPage: `${sandboxUrl}/calendar` }
}
