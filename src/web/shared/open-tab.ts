/** A tab that waits for its address. */
export type OpenedTab = { readonly show: (url: string) => void; readonly close: () => void }

/**
 * Opens an empty tab. Called while a button is pressed, because browsers block a tab that opens after waiting for an answer.
 * Where the browser opens none, the address is shown in this one.
 */
export function openTab(): OpenedTab {
  const tab = window.open('', '_blank')
  // The new page must not reach back into this page.
  if (tab !== null) tab.opener = null
  return {
    show: (url) => (tab === null ? location.assign(url) : tab.location.replace(url)),
    close: () => tab?.close(),
  }
}
