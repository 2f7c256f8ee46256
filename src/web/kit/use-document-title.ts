import { useEffect } from 'react'
import { toDocumentTitle } from '#contract/pages/app-pages.ts'

/** Names the page in the browser's tab and history: "Dashboard · Meridian". */
export function useDocumentTitle(title: string): void {
  useEffect(() => {
    document.title = toDocumentTitle(title)
  }, [title])
}
