import { useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import { currentToast, subscribeToToasts } from './toast-store.ts'
import { useHydrated } from './use-hydrated.ts'

/** Renders the current toast. Render it once per entry. Screen readers announce each toast: errors at once, others politely. */
export function Toaster() {
  const shown = useSyncExternalStore(subscribeToToasts, currentToast, noToast)
  // Portals cannot be rendered on the server.
  if (!useHydrated()) return null
  return createPortal(
    // Both live regions are always rendered, because screen readers ignore a region that is added together with its text.
    <div data-toaster="">
      <div role="status" aria-live="polite" className="contents">
        {shown !== null && shown.tone !== 'danger' && <shown.Card key={shown.id} shown={shown} />}
      </div>
      <div role="alert" aria-live="assertive" className="contents">
        {shown !== null && shown.tone === 'danger' && <shown.Card key={shown.id} shown={shown} />}
      </div>
    </div>,
    document.body,
  )
}

/** Returns the toast during server rendering: none. */
function noToast(): null {
  return null
}
