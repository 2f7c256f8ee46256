import { useEffect, useRef } from 'react'
import { dismissToastWithoutAction } from './toast-store.ts'

/**
 * Dismisses the toast when a dialog opens, because the toast would cover fields and buttons. A dialog that is open from the start
 * does not dismiss it, because that toast is new.
 */
export function useDismissToastOnOpen(open: boolean): void {
  const wasOpen = useRef(open)
  useEffect(() => {
    if (open && !wasOpen.current) dismissToastWithoutAction()
    wasOpen.current = open
  }, [open])
}
