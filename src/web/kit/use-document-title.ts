import { useEffect } from 'react'
import { toDocumentTitle } from '#contract/pages/app-pages.ts'

/** Sets the document title: "Dashboard · Meridian". */
export function useDocumentTitle(title: string): void {
  useEffect(() => {
    document.title = toDocumentTitle(title)
  }, [title])
}
