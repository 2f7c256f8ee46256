import { vi } from 'vitest'

/**
 * Repeats a check until it passes, and returns what it returned. After 30 s it throws what the check threw last. Vitest alone would wait
 * for one second, which is too short on a busy machine.
 */
export function eventually<Found>(check: () => Found | Promise<Found>): Promise<Found> {
  return vi.waitFor(check, { timeout: 30_000 })
}
