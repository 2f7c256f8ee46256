import type { Tone } from './tones.tsx'

type ToastAction = { label: string; onClick: () => void }
export type ToastOptions = {
  action?: ToastAction | undefined
  durationMs?: number | undefined
  /** Additional lines of text below the message. */
  details?: readonly string[] | undefined
}
export type Toast = {
  id: number
  tone: Tone
  text: string
  details: readonly string[]
  action: ToastAction | null
  durationMs: number
}

/** How long a toast is shown by default, in ms. Hovering or focusing the toast pauses the timer. */
export const TOAST_DURATION_MS = 5_000

let current: Toast | null = null
let lastId = 0
const listeners = new Set<() => void>()

/** Returns the toast on screen, or null. At most one toast is shown at a time (rule W13). */
export function currentToast(): Toast | null {
  return current
}

export function subscribeToToasts(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Shows a toast in place of the previous one. */
export function showToast(tone: Tone, text: string, options: ToastOptions = {}): void {
  lastId += 1
  current = {
    id: lastId,
    tone,
    text,
    details: options.details ?? [],
    action: options.action ?? null,
    durationMs: options.durationMs ?? TOAST_DURATION_MS,
  }
  for (const listener of listeners) listener()
}

/** Dismisses the current toast, unless it has an action button. */
export function dismissToastWithoutAction(): void {
  if (current !== null && current.action === null) dismissToast(current.id)
}

/** Dismisses the toast with this id, unless another toast has replaced it. */
export function dismissToast(id: number): void {
  if (current?.id !== id) return
  current = null
  for (const listener of listeners) listener()
}
