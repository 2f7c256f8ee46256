/** The first tab stop: skips the navigation. */
export function SkipLink() {
  return (
    <button
      type="button"
      onClick={skip}
      className="sr-only rounded-control bg-night font-semibold text-on-night focus:not-sr-only focus:fixed focus:start-2 focus:top-2 focus:z-50 focus:px-4 focus:py-2.5"
    >
      Skip to content
    </button>
  )
}

/** Works with any `<main>`, without an id as an anchor would need. */
function skip(): void {
  const main = document.querySelector('main')
  if (main === null) return
  main.tabIndex = -1
  main.focus()
  main.scrollIntoView()
}
