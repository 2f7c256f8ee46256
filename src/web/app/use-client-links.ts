import { useEffect } from 'react'

/**
 * Lets ordinary links to pages of this entry be followed without loading a document, so that components need not
 * know the router. Whatever the browser should do itself (new tab, download, other sites) is left to it.
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

/** A link within a page (`#content`) is the browser's own business, too. */
function isPlainLink(link: HTMLAnchorElement): boolean {
  if (link.target !== '' || link.hasAttribute('download')) return false
  if (link.getAttribute('href')?.startsWith('#')) return false
  return link.origin === location.origin
}
