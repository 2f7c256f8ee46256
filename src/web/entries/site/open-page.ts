import {
  type StateForNextPage,
  storePageState,
  storeToastForNextDocument,
} from '#web/shared/next-document.ts'

/** Marks navigations that this entry starts itself. `follow-navigation.ts` then shows the page in this document. */
export const OPENED_BY_SITE_STATE = 'opened-by-page'

type OpenPageOptions = {
  readonly state?: StateForNextPage
  /** True when the new page replaces the current page in the history, so that Back does not return to it. */
  readonly replace?: boolean
}

/** Opens a page of this entry: in this document if the browser has the Navigation API, otherwise as a new document. */
export function navigateToPage(path: string, { state = {}, replace = false }: OpenPageOptions = {}): void {
  if ('navigation' in window) {
    const history = replace ? 'replace' : 'push'
    const { committed, finished } = window.navigation.navigate(path, {
      history,
      state,
      info: OPENED_BY_SITE_STATE,
    })
    // These promises reject when another navigation interrupts this one.
    for (const step of [committed, finished]) step?.catch(() => undefined)
    return
  }
  storeToastForNextDocument()
  storePageState(state)
  if (replace) location.replace(path)
  else location.assign(path)
}
