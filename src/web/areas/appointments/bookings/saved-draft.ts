import { type RefObject, useEffect } from 'react'
import { type BookingDraft, EMPTY_DRAFT } from './booking-draft.ts'

/**
 * Delay between the last change and saving the draft, in milliseconds. Browsers limit history updates: Safari allows 100
 * within 30 s.
 */
const PAUSE_MS = 300

type SavedDraftInput = {
  draft: BookingDraft
  /** True while the booking is being sent or the customer is on the payment provider's page. */
  isSending: boolean
  /** True if a booking request got no response, so the server may have booked the time for this customer. */
  isUnanswered: RefObject<boolean>
}

/**
 * Saves the draft in this browser history entry, so that it survives a reload: phones discard hidden pages and reload
 * them later. Only this tab can read the draft, so the next person who opens the page does not see it. It is removed
 * when the booking is sent. Source: rule B16.
 */
export function useSavedDraft({ draft, isSending, isUnanswered }: SavedDraftInput): void {
  useEffect(() => {
    if (draft === EMPTY_DRAFT) return
    // Remove it at once: a timer could fire after `saveBooking` and leave a draft with the booking.
    if (isSending) {
      if (readSavedDraft() !== null) replaceSavedDraft(null)
      return
    }
    // Leave out the time: after a reload, the page could not tell whether this customer or somebody else has booked it.
    const known = isUnanswered.current ? { ...draft, startsAt: null } : draft
    const timer = setTimeout(() => replaceSavedDraft(known), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [draft, isSending, isUnanswered])
}

function replaceSavedDraft(draft: BookingDraft | null): void {
  history.replaceState({ ...history.state, draft }, '')
}

/** Reads the draft stored in this browser history entry, if there is one. */
export function readSavedDraft(): BookingDraft | null | undefined {
  const state = history.state as { draft?: BookingDraft | null } | null // safe: on this page only `useSavedDraft` writes it
  return state?.draft
}
