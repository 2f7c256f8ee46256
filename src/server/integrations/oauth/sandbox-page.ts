/** Returns whether a stand-in of a calendar provider is used, and the URL of its calendar page. */
export function sandboxPageOf({
  sandboxUrl,
}: {
  /** Base URL of the stand-in, without a path. Absent: the provider itself. */
  readonly sandboxUrl?: string
}): { readonly isSandbox: boolean; readonly sandboxPage?: string } {
  return sandboxUrl === undefined
    ? { isSandbox: false }
    : { isSandbox: true, sandboxPage: `${sandboxUrl}/calendar` }
}
