import { useEffect, useState } from 'react'
import { X } from './icons/x.ts'
import { dismissToast, replaceToast, type Toast } from './toast-store.ts'
import { TONE_ICONS, type Tone } from './tones.tsx'

/** How long a toast is shown by default, in ms. Hovering or focusing the toast pauses the timer. */
export const TOAST_DURATION_MS = 5_000

type ToastOptions = {
  action?: Toast['action'] | undefined
  durationMs?: number | undefined
  /** Additional lines of text below the message. */
  details?: readonly string[] | undefined
}

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

/** Shows a toast in a tone that is data. */
export function showToast(tone: Tone, text: string, options: ToastOptions = {}): void {
  const { details = [], action = null, durationMs = TOAST_DURATION_MS } = options
  replaceToast({ tone, text, details, action, durationMs, Card: ToastCard })
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
