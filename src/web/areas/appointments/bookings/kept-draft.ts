import { type RefObject, useEffect } from 'react'
import { type BookingDraft, EMPTY_DRAFT } from './booking-draft.ts'

/** After the last change. Browsers refuse to write too often: Safari more than 100 times within 30 s. */
const PAUSE_MS = 300

type KeptDraftInput = {
  draft: BookingDraft
  /** The booking is being sent, or its customer is away to pay. */
  isSending: boolean
  /** A booking was sent and not answered: its time may be the customer's own by now. */
  isUnanswered: RefObject<boolean>
}

/**
 * Keeps what was chosen and typed for a reload. Phones remove pages that nobody sees, and load them anew later. The draft is kept with
 * this entry of the history of this tab alone, so the next person who opens the page does not see it. It is removed before it is sent.
 * Source: rule B16.
 */
export function useKeptDraft({ draft, isSending, isUnanswered }: KeptDraftInput): void {
  useEffect(() => {
    if (draft === EMPTY_DRAFT) return
    // The page could not know whether the time is gone, or is the customer's own.
    const known = isUnanswered.current ? { ...draft, startsAt: null } : draft
    const timer = setTimeout(
      () => history.replaceState({ ...history.state, draft: isSending ? null : known }, ''),
      isSending ? 0 : PAUSE_MS,
    )
    return () => clearTimeout(timer)
  }, [draft, isSending, isUnanswered])
}

/** What was kept with this entry of the history, or nothing. */
export function readKeptDraft(): BookingDraft | null | undefined {
  const state = history.state as { draft?: BookingDraft | null } | null // only `useKeptDraft` writes it on this page
  return state?.draft
}
