import { useEffect } from 'react'

/**
 * Opens links to pages of this entry without loading a document, so that components need not know the router. Leaves all other
 * links to the browser (new tab, download, other sites).
 */
export function useClientLinks(
  navigate: (href: string) => void,
  isRouted: (pathname: string) => boolean,
): void {
  useEffect(() => {
    const follow = (event: MouseEvent) => {
      const link = isPlainClick(event) && event.target instanceof Element ? event.target.closest('a') : null
      if (link === null || !isPlainLink(link) || !isRouted(link.pathname)) return
      event.preventDefault()
      navigate(`${link.pathname}${link.search}${link.hash}`)
    }
    document.addEventListener('click', follow)
    return () => document.removeEventListener('click', follow)
  }, [navigate, isRouted])
}

function isPlainClick(event: MouseEvent): boolean {
  const isModified = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey
  return !event.defaultPrevented && event.button === 0 && !isModified
}

/** False for links that the browser must follow, including links within a page (`#content`). */
function isPlainLink(link: HTMLAnchorElement): boolean {
  if (link.target !== '' || link.hasAttribute('download')) return false
  if (link.getAttribute('href')?.startsWith('#')) return false
  return link.origin === location.origin
}
