import { useEffect } from 'react'
import { type BookingDraft, EMPTY_DRAFT } from './booking-draft.ts'

/** Browsers refuse to write more than 100 times within 30 s (Safari); nobody reloads a page sooner after the last key. */
const PAUSE_MS = 300

/**
 * Keeps what was chosen and typed for a reload: phones remove pages that nobody sees, and load them anew later. It is kept with this
 * entry of the history of this tab alone, so the next person who opens the page does not see it. Source: rule B16.
 */
export function useKeptDraft(draft: BookingDraft): void {
  useEffect(() => {
    if (draft === EMPTY_DRAFT) return
    const timer = setTimeout(() => history.replaceState({ ...history.state, draft }, ''), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [draft])
}

/** What was kept with this entry of the history, or undefined. */
export function readKeptDraft(): BookingDraft | undefined {
  return (history.state as { draft?: BookingDraft } | null)?.draft // only `useKeptDraft` writes it on this page
}
