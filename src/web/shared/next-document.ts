import { showToast } from '#web/ui/toast.tsx'
import { currentToast, type Toast } from '#web/ui/toast-store.ts'

/** Maximum age of a stored value, in ms. An older value belongs to a navigation that never happened. */
const MAX_AGE_MS = 10_000

type Stored = { readonly value: unknown; readonly storedAtMs: number }

/** Stores a value in this tab for the document that loads next. */
function storeForNextDocument(name: string, value: unknown): void {
  try {
    sessionStorage.setItem(keyOf(name), JSON.stringify({ value, storedAtMs: Date.now() } satisfies Stored))
  } catch {
    // Storage is blocked, so the next document does without the value.
  }
}

/**
 * Reads and removes the value that the previous document stored under this name. Returns undefined if there is none. The name
 * determines the type.
 */
function consumeFromPreviousDocument<Value>(name: string): Value | undefined {
  try {
    const text = sessionStorage.getItem(keyOf(name))
    if (text === null) return undefined
    sessionStorage.removeItem(keyOf(name))
    const { value, storedAtMs } = JSON.parse(text) as Stored // written by `storeForNextDocument`
    return Date.now() - storedAtMs < MAX_AGE_MS ? (value as Value) : undefined // stored under this name
  } catch {
    // Storage is blocked, so nothing was stored.
    return undefined
  }
}

function keyOf(name: string): string {
  return `carried-${name}`
}

type StoredToast = Pick<Toast, 'tone' | 'text'>

/** Makes the next document show the current toast, too. */
export function storeToastForNextDocument(): void {
  const shown = currentToast()
  if (shown !== null)
    storeForNextDocument('toast', { tone: shown.tone, text: shown.text } satisfies StoredToast)
}

/** Shows the toast that the previous document stored, if any. Call it once the toaster is mounted. */
export function showToastOfPreviousDocument(): void {
  const stored = consumeFromPreviousDocument<StoredToast>('toast')
  if (stored !== undefined) showToast(stored.tone, stored.text)
}

/** The data that one of the pages around the login passes to the next page, outside the URL. */
export type StateForNextPage = {
  /** The email address that was typed at the login (to reset a password), or that of a new account. */
  readonly email?: string
  /** True when the account has just been created. */
  readonly isNew?: boolean
}

/** Passes the state to the page that the next document shows. */
export function storePageState(state: StateForNextPage): void {
  storeForNextDocument('page-state', state)
}

/**
 * Reads the state passed to the page that is being opened. Browsers with the Navigation API keep it in the page's history entry.
 */
export function readPageState(): StateForNextPage {
  const kept = 'navigation' in window ? window.navigation.currentEntry?.getState() : undefined
  return (
    consumeFromPreviousDocument<StateForNextPage>('page-state') ??
    (kept as StateForNextPage | undefined) ??
    {}
  ) // set by `navigateToPage`
}
