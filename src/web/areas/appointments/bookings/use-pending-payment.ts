import { type Dispatch, type SetStateAction, useEffect } from 'react'
import type { BookingDraft } from './booking-draft.ts'
import { DRAFT_BEFORE_PAYMENT_KEY, PENDING_PAYMENT_KEY } from './storage-keys.ts'

/** Interval at which the page checks the saved hold, in milliseconds. Source: rule B21. */
const CHECK_MS = 60_000

/**
 * Handles a payment that was started in this browser: restores the draft when this tab returns from the provider, and
 * releases holds that have not been paid. Downloads the code only if a payment is saved.
 */
export function usePendingPayment(slug: string, restore: Dispatch<SetStateAction<BookingDraft>>): void {
  useEffect(() => {
    const check = async (isOpening: boolean) => {
      if (!isRemembered()) return
      // If the download fails, the server releases the hold when it expires.
      const pending = await import('./payment-part.ts').catch(() => null)
      await pending?.handleSavedHold({ slug, isOpening, restore })
    }
    void check(true)
    const timer = setInterval(check, CHECK_MS, false)
    return () => clearInterval(timer)
  }, [slug, restore])
}

function isRemembered(): boolean {
  try {
    return [localStorage.getItem(PENDING_PAYMENT_KEY), sessionStorage.getItem(DRAFT_BEFORE_PAYMENT_KEY)].some(
      Boolean,
    )
  } catch {
    return false // Storage is blocked, so nothing was saved either.
  }
}
