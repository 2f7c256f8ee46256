/** The delay in browsers without `requestIdleCallback` (Safari), in ms. */
const SHORTLY_MS = 500

/**
 * Runs `work` when the browser is idle.
 * @returns a function that cancels the call
 */
export function runWhenIdle(work: () => void): () => void {
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(work, SHORTLY_MS)
    return () => clearTimeout(timer)
  }
  const idle = requestIdleCallback(work)
  return () => cancelIdleCallback(idle)
}
