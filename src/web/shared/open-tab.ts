/** A new tab that has no URL yet. */
export type OpenedTab = { readonly show: (url: string) => void; readonly close: () => void }

/**
 * Opens an empty tab. Call it in a click handler, before any `await`: browsers block tabs that are opened later. If the
 * browser opens none, `show` uses the present tab.
 */
export function openTab(): OpenedTab {
  const tab = window.open('', '_blank')
  // The new page must not get access to this one.
  if (tab !== null) tab.opener = null
  return {
    show: (url) => (tab === null ? location.assign(url) : tab.location.replace(url)),
    close: () => tab?.close(),
  }
}
