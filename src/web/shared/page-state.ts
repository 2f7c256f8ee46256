import { carry, takeCarried } from './carried.ts'

/** What a page around the login passes to the next one outside of its address. */
export type PageState = {
  /** The address that was typed at the login, for a forgotten password; or that of a new account. */
  readonly email?: string
  /** The account has just been opened. */
  readonly isNew?: boolean
}

/** Passes it to a page of another document. */
export function carryPageState(state: PageState): void {
  carry('page-state', state)
}

/**
 * What was passed to the page that is opened. Browsers with the Navigation API keep it while the page is in their
 * history.
 */
export function readPageState(): PageState {
  const kept = 'navigation' in window ? window.navigation.currentEntry?.getState() : undefined
  return takeCarried<PageState>('page-state') ?? (kept as PageState | undefined) ?? {} // only `openPage` writes it
}
