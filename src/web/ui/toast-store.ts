import type { ComponentType } from 'react'
import type { Tone } from './tones.tsx'

export type Toast = {
  id: number
  tone: Tone
  text: string
  details: readonly string[]
  action: { label: string; onClick: () => void } | null
  durationMs: number
  /** Renders the toast. Part of it, so that a page that shows no toast at first need not download the code. */
  Card: ComponentType<{ shown: Toast }>
}

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
export function replaceToast(toast: Omit<Toast, 'id'>): void {
  lastId += 1
  current = { ...toast, id: lastId }
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
