import { isAppPath, isSessionPath } from '#web/shared/app-paths.ts'

/** Where a router is. */
export type RouterPlace = {
  /**
   * Whether its document was loaded for a public page. There it shows the pages to sign in on and no other; an owner's page is a
   * document of its own.
   */
  readonly inPublicPage: boolean
}

/** Says whether the router shows `pathname`, or another document does. */
export function isRoutedHere(pathname: string, { inPublicPage }: RouterPlace): boolean {
  return isSessionPath(pathname) || (isAppPath(pathname) && !inPublicPage)
}
