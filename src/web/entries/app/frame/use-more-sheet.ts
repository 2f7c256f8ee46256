import { useLocation, useRouter } from '@tanstack/react-router'

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
  const { state } = useLocation()
  const isOpen = state.isMoreOpen === true
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
    close: () => {
      if (isOpen) router.history.back()
    },
    goTo: (href) => void router.navigate({ href, replace: true }),
  }
}
