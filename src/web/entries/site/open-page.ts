import { type PageState, storePageState, storeToastForNextDocument } from '#web/shared/next-document.ts'

/** Marks the pages of this entry that the entry itself opens: `follow-navigation.ts` shows them in this document. */
export const OPENED_BY_PAGE = 'opened-by-page'

type OpenPageOptions = {
  readonly state?: PageState
  /** Back does not lead to the page that opens it. */
  readonly replace?: boolean
}

/** Opens a page of this entry: in this document where the browser has the Navigation API, else as a document. */
export function openPage(path: string, { state = {}, replace = false }: OpenPageOptions = {}): void {
  if ('navigation' in window) {
    const history = replace ? 'replace' : 'push'
    const { committed, finished } = window.navigation.navigate(path, { history, state, info: OPENED_BY_PAGE })
    // Navigation to another page ends it.
    for (const step of [committed, finished]) step?.catch(() => undefined)
    return
  }
  storeToastForNextDocument()
  storePageState(state)
  if (replace) location.replace(path)
  else location.assign(path)
}
