import { useEffect, useRef } from 'react'
import { dismissNews } from './toast-store.ts'

/**
 * Takes away what was said before when a dialog is opened, over whose fields and buttons it would lie. Not for a dialog that
 * is open from the start: what is said then has only just been said.
 */
export function useDismissNews(open: boolean): void {
  const wasOpen = useRef(open)
  useEffect(() => {
    if (open && !wasOpen.current) dismissNews()
    wasOpen.current = open
  }, [open])
}
