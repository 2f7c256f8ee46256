import { useLocation, useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'

declare module '@tanstack/react-router' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface can extend the library's interface
  interface HistoryState {
    /** True while the sheet behind *More* is open. */
    isMoreOpen?: boolean
  }
}

export type MoreSheetState = {
  readonly isOpen: boolean
  readonly open: () => void
  readonly close: () => void
  /** Opens an owner's page in place of the sheet, so that Back leads to the page below the sheet. */
  readonly goTo: (href: string) => void
}

/** Holds the state of the sheet behind *More* in the browser's history, so that Back closes the sheet. */
export function useMoreSheet(): MoreSheetState {
  const router = useRouter()
  const { state, href: currentHref } = useLocation()
  const isOpen = state.isMoreOpen === true
  // The browser carries out `back` a moment later. Until then, a second press must not call it again.
  const isClosing = useRef(false)
  useEffect(() => {
    if (!isOpen) isClosing.current = false
  }, [isOpen])
  const close = () => {
    if (!isOpen || isClosing.current) return
    isClosing.current = true
    router.history.back()
  }
  return {
    isOpen,
    open: () =>
      void router.navigate({
        to: '.',
        search: true,
        hash: true,
        state: { isMoreOpen: true },
        resetScroll: false,
      }),
    close,
    goTo: (href) => {
      if (href === currentHref) close()
      else void router.navigate({ href, replace: true })
    },
  }
}
