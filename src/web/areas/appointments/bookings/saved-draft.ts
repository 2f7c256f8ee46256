import { type RefObject, useEffect } from 'react'
import { type BookingDraft, EMPTY_DRAFT } from './booking-draft.ts'

/** Delay after the last change. Browsers limit history updates: Safari allows 100 within 30 s. */
const PAUSE_MS = 300

type KeptDraftInput = {
  draft: BookingDraft
  /** The booking is being sent, or the customer is at the payment provider. */
  isSending: boolean
  /** A booking was sent but not answered, so the server may have booked the time for this customer. */
  isUnanswered: RefObject<boolean>
}

/**
 * Saves the draft in this history entry, so that it survives a reload: phones discard hidden pages and reload them later.
 * Only this tab can read it, so the next person who opens the page does not see it. It is removed before it is sent.
 * Source: rule B16.
 */
export function useSavedDraft({ draft, isSending, isUnanswered }: KeptDraftInput): void {
  useEffect(() => {
    if (draft === EMPTY_DRAFT) return
    // After a reload the page could not tell whether the time is taken or booked by this customer.
    const known = isUnanswered.current ? { ...draft, startsAt: null } : draft
    const timer = setTimeout(
      () => history.replaceState({ ...history.state, draft: isSending ? null : known }, ''),
      isSending ? 0 : PAUSE_MS,
    )
    return () => clearTimeout(timer)
  }, [draft, isSending, isUnanswered])
}

/** Reads the draft of this history entry, if there is one. */
export function readSavedDraft(): BookingDraft | null | undefined {
  const state = history.state as { draft?: BookingDraft | null } | null // only `useSavedDraft` writes it on this page
  return state?.draft
}
