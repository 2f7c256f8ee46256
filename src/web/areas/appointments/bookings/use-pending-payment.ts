import { type Dispatch, type SetStateAction, useEffect } from 'react'
import type { BookingDraft } from './booking-draft.ts'
import { LEFT_FORM, PENDING_PAYMENT } from './storage-keys.ts'

/** How often the page checks what it remembers. Source: rule B21. */
const CHECK_MS = 60_000

/**
 * Looks after a payment that was begun in this browser: gives back a hold that has run out, and at once when this tab
 * comes back from the provider, with what was typed. Its code is downloaded only when something is remembered.
 */
export function usePendingPayment(slug: string, restore: Dispatch<SetStateAction<BookingDraft>>): void {
  useEffect(() => {
    const check = async (isOpening: boolean) => {
      if (!isRemembered()) return
      // Where it cannot be loaded, the server ends the hold by itself.
      const pending = await import('./payment-part.ts').catch(() => null)
      await pending?.lookAfter({ slug, isOpening, restore })
    }
    void check(true)
    const timer = setInterval(check, CHECK_MS, false)
    return () => clearInterval(timer)
  }, [slug, restore])
}

function isRemembered(): boolean {
  try {
    return [localStorage.getItem(PENDING_PAYMENT), sessionStorage.getItem(LEFT_FORM)].some(Boolean)
  } catch {
    return false // Storage is forbidden, so nothing was kept either.
  }
}
