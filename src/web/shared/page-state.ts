import { carry, takeCarried } from './carried.ts'

/** What a page for signing in hands on to the next one, and what is not for its address. */
export type PageState = {
  /** The address that was typed at the login, for whoever forgot their password; or that of a new account. */
  readonly email?: string
  /** The account has just been opened. */
  readonly isNew?: boolean
}

/** Hands it on to a page of another document. */
export function carryPageState(state: PageState): void {
  carry('page-state', state)
}

/** What was handed on to the page that is opened. Browsers with the Navigation API keep it as long as the page is in their history. */
export function readPageState(): PageState {
  const kept = 'navigation' in window ? window.navigation.currentEntry?.getState() : undefined
  return takeCarried<PageState>('page-state') ?? (kept as PageState | undefined) ?? {} // only `openPage` writes it
}
