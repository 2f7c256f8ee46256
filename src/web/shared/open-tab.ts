/** A new tab that has no URL yet. */
export type BlankTab = { readonly show: (url: string) => void; readonly close: () => void }

/**
 * Opens an empty tab. Call it in a click handler before any `await`, because browsers block tabs that are opened later. If the
 * browser opens no tab, `show` uses the current tab.
 */
export function openBlankTab(): BlankTab {
  const tab = window.open('', '_blank')
  // The opened page must not get access to this page.
  if (tab !== null) tab.opener = null
  return {
    show: (url) => (tab === null ? location.assign(url) : tab.location.replace(url)),
    close: () => tab?.close(),
  }
}
