import { currentToast, showToast, type Toast } from '#web/ui/toast-store.ts'

/** Values older than this belong to a navigation that did not happen. */
const MAX_AGE_MS = 10_000

type Stored = { readonly value: unknown; readonly storedAtMs: number }

/** Stores a value in this tab for the document that is loaded next. */
function storeForNextDocument(name: string, value: unknown): void {
  try {
    sessionStorage.setItem(keyOf(name), JSON.stringify({ value, storedAtMs: Date.now() } satisfies Stored))
  } catch {
    // Storage is forbidden: the next document goes without the value.
  }
}

/**
 * Reads and removes the value that the previous document stored under this name. Undefined when there is none. The name
 * determines the type.
 */
function consumeFromPreviousDocument<Value>(name: string): Value | undefined {
  try {
    const text = sessionStorage.getItem(keyOf(name))
    if (text === null) return undefined
    sessionStorage.removeItem(keyOf(name))
    const { value, storedAtMs } = JSON.parse(text) as Stored // written above
    return Date.now() - storedAtMs < MAX_AGE_MS ? (value as Value) : undefined // stored under this name
  } catch {
    // Storage is forbidden, so nothing was stored.
    return undefined
  }
}

function keyOf(name: string): string {
  return `carried-${name}`
}

type StoredToast = Pick<Toast, 'tone' | 'text'>

/** Shows the present toast in the next document, too. */
export function storeToastForNextDocument(): void {
  const shown = currentToast()
  if (shown !== null)
    storeForNextDocument('toast', { tone: shown.tone, text: shown.text } satisfies StoredToast)
}

/** Shows the toast of the previous document, if it stored one. Call it once the toaster is mounted. */
export function showToastOfPreviousDocument(): void {
  const stored = consumeFromPreviousDocument<StoredToast>('toast')
  if (stored !== undefined) showToast(stored.tone, stored.text)
}

/** What one of the pages around the login passes to the next page, outside of the URL. */
export type PageState = {
  /** The email address typed at the login (for a forgotten password), or of a new account. */
  readonly email?: string
  /** The account has just been created. */
  readonly isNew?: boolean
}

/** Passes the state to a page in another document. */
export function storePageState(state: PageState): void {
  storeForNextDocument('page-state', state)
}

/**
 * Reads the state for the page that is being opened. Browsers with the Navigation API keep it in the history entry of
 * the page.
 */
export function readPageState(): PageState {
  const kept = 'navigation' in window ? window.navigation.currentEntry?.getState() : undefined
  return consumeFromPreviousDocument<PageState>('page-state') ?? (kept as PageState | undefined) ?? {} // only `openPage` writes it
}
