import { useEffect } from 'react'
import { isAppPath } from './app-paths.ts'

/**
 * Lets ordinary links to pages of this entry be followed without loading a document, so that components need not
 * know the router. Whatever the browser should do itself (new tab, download, other sites) is left to it.
 */
export function useClientLinks(navigate: (href: string) => void): void {
  useEffect(() => {
    const follow = (event: MouseEvent) => {
      if (event.defaultPrevented || event.button !== 0) return
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
      const link = event.target instanceof Element ? event.target.closest('a') : null
      if (link === null || link.target !== '' || link.hasAttribute('download')) return
      if (link.origin !== location.origin || !isAppPath(link.pathname)) return
      event.preventDefault()
      navigate(`${link.pathname}${link.search}${link.hash}`)
    }
    document.addEventListener('click', follow)
    return () => document.removeEventListener('click', follow)
  }, [navigate])
}
