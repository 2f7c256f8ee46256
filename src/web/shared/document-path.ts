/** The path that the document was loaded from. Back and Forward may change the address before a script has run. */
export function documentPath(): string {
  // There is one for each document. Source: W3C, "Navigation Timing".
  const [loaded] = performance.getEntriesByType('navigation')
  return loaded === undefined ? location.pathname : new URL(loaded.name).pathname
}
