import type { Tone } from './tones.tsx'

type ToastAction = { label: string; onClick: () => void }
export type ToastOptions = {
  action?: ToastAction | undefined
  durationMs?: number | undefined
  /** What else there is to say, a line each. */
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

/** How long a toast stays unless it is hovered, focused or told otherwise. */
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

/** Shows a toast in place of the one before it. */
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

/** Takes away what has only been said; what could still be answered stays. For whoever goes on to something else. */
export function dismissNews(): void {
  if (current !== null && current.action === null) dismissToast(current.id)
}

/** Takes the toast away, unless another one has taken its place meanwhile. */
export function dismissToast(id: number): void {
  if (current?.id !== id) return
  current = null
  for (const listener of listeners) listener()
}
