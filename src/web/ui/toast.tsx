import { useEffect, useState, useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import { X } from './icons/x.ts'
import {
  currentToast,
  dismissToast,
  showToast,
  subscribeToToasts,
  type Toast,
  type ToastOptions,
} from './toast-store.ts'
import { TONE_ICONS } from './tones.tsx'
import { useHydrated } from './use-hydrated.ts'

/**
 * Shows a short message. A new toast replaces the previous one. Written in plain React (2 kB): Base UI's toast would cost the
 * booking page 15 kB (gzip) for stacking, which this toast does not need.
 */
export const toast = {
  success: (text: string, options?: ToastOptions) => showToast('success', text, options),
  error: (text: string, options?: ToastOptions) => showToast('danger', text, options),
  info: (text: string, options?: ToastOptions) => showToast('info', text, options),
  warning: (text: string, options?: ToastOptions) => showToast('warning', text, options),
}

/** Renders the current toast. Render it once per entry. Screen readers announce each toast: errors at once, others politely. */
export function Toaster() {
  const shown = useSyncExternalStore(subscribeToToasts, currentToast, noToast)
  // Portals cannot be rendered on the server.
  if (!useHydrated()) return null
  return createPortal(
    // Both live regions are always rendered, because screen readers ignore a region that is added together with its text.
    <div data-toaster="">
      <div role="status" aria-live="polite" className="contents">
        {shown !== null && shown.tone !== 'danger' && <ToastCard key={shown.id} shown={shown} />}
      </div>
      <div role="alert" aria-live="assertive" className="contents">
        {shown !== null && shown.tone === 'danger' && <ToastCard key={shown.id} shown={shown} />}
      </div>
    </div>,
    document.body,
  )
}

/** Returns the toast during server rendering: none. */
function noToast(): null {
  return null
}

function ToastCard({ shown }: { shown: Toast }) {
  const [paused, setPaused] = useState(false)
  const { id, durationMs } = shown
  useEffect(() => {
    if (paused) return
    const timer = setTimeout(() => dismissToast(id), durationMs)
    return () => clearTimeout(timer)
  }, [id, durationMs, paused])

  const Icon = TONE_ICONS[shown.tone]
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hovering only pauses the timer, so no function requires a mouse
    <div
      ref={reserveStrip}
      className="toast animate-toast bg-night text-on-night dark:border-line-strong"
      onMouseEnter={() => setPaused(true)}
      onMouseLeave={() => setPaused(false)}
      onFocus={() => setPaused(true)}
      onBlur={() => setPaused(false)}
    >
      <Icon aria-hidden="true" />
      {/* If the text is long, the button wraps to the next line. */}
      <div className="flex min-w-0 flex-wrap items-center justify-end gap-x-3">
        <div className="min-w-0 flex-auto py-1">
          <p>{shown.text}</p>
          {shown.details.map((detail) => (
            <p key={detail} className="mt-1 text-sm text-on-night-soft">
              {detail}
            </p>
          ))}
        </div>
        {shown.action !== null && (
          <button
            type="button"
            className="min-h-11 shrink-0 rounded-lg px-3 font-semibold underline underline-offset-4"
            onClick={() => {
              shown.action?.onClick()
              dismissToast(id)
            }}
          >
            {shown.action.label}
          </button>
        )}
      </div>
      <button type="button" aria-label="Dismiss" onClick={() => dismissToast(id)}>
        <X aria-hidden="true" className="size-5" />
      </button>
    </div>
  )
}

/** Tells the page how high the toast is, and scrolls the focused element above it. Returns the cleanup. */
function reserveStrip(card: HTMLElement | null): (() => void) | undefined {
  if (card === null) return
  const { style } = document.documentElement
  const { top, right, height } = card.getBoundingClientRect()
  style.setProperty('--toast-height', `${height}px`)
  const focused = document.activeElement
  if (focused !== null && focused !== document.body) {
    const { bottom, left } = focused.getBoundingClientRect()
    if (bottom > top && left < right) focused.scrollIntoView({ block: 'nearest' })
  }
  return () => style.removeProperty('--toast-height')
}
