import type { Tone } from './tones.tsx'

type ToastAction = { label: string; onClick: () => void }
export type ToastOptions = {
  action?: ToastAction | undefined
  durationMs?: number | undefined
  /** Additional lines. */
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

/** The default duration of a toast. Hovering or focusing it pauses the timer. */
export const TOAST_DURATION_MS = 5_000

let current: Toast | null = null
let lastId = 0
const listeners = new Set<() => void>()

/** The toast on screen, or null. There is never more than one (rule W13). */
export function currentToast(): Toast | null {
  return current
}

export function subscribeToToasts(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Shows a toast, which replaces the previous one. */
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

/** Dismisses the toast, unless it has an action button. */
export function dismissToastWithoutAction(): void {
  if (current !== null && current.action === null) dismissToast(current.id)
}

/** Dismisses this toast, unless another one has replaced it. */
export function dismissToast(id: number): void {
  if (current?.id !== id) return
  current = null
  for (const listener of listeners) listener()
}
