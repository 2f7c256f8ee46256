/** Where the browser does not say when it is idle (Safari), shortly after the page is there, in milliseconds. */
const SHORTLY_MS = 500

/**
 * Does `work` when the browser is idle.
 * @returns cancels it
 */
export function whenIdle(work: () => void): () => void {
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(work, SHORTLY_MS)
    return () => clearTimeout(timer)
  }
  const idle = requestIdleCallback(work)
  return () => cancelIdleCallback(idle)
}
