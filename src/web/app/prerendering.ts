import { useEffect } from 'react'

/** Whether the browser has opened the page beforehand and nobody looks at it yet. Source: WICG, "Prerendering Revamped". */
export function isPrerendering(): boolean {
  return 'prerendering' in document && document.prerendering === true
}

/**
 * Has a page that was opened beforehand laid out while nobody waits for it. The browser would put it off until the page is
 * looked at, but answers how large it is.
 */
export function useLayoutBeforehand(): void {
  useEffect(() => {
    if (isPrerendering()) document.body.getBoundingClientRect()
  }, [])
}
