/**
 * Returns the path from which the document was loaded. `location` may already differ, because Back and Forward can change it
 * before scripts run.
 */
export function documentPath(): string {
  // Each document has exactly one navigation entry. Source: W3C, "Navigation Timing".
  const [loaded] = performance.getEntriesByType('navigation')
  return loaded === undefined ? location.pathname : new URL(loaded.name).pathname
}
