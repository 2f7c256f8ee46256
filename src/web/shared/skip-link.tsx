/** The page's first tab stop, which lets keyboard users skip the navigation. */
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

/** Moves the focus to the `<main>` element, which needs no id, unlike the target of an anchor. */
function skip(): void {
  const main = document.querySelector('main')
  if (main === null) return
  main.tabIndex = -1
  main.focus()
  main.scrollIntoView()
}
