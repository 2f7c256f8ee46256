import { isAppPath, isSessionPath } from '#web/shared/app-paths.ts'
import { documentPath } from '#web/shared/document-path.ts'

/**
 * Says whether the router shows `pathname` in this document. In one that was loaded for a public page it shows the pages to sign in
 * on and no other; an owner's page is a document of its own.
 */
export function isRoutedHere(pathname: string): boolean {
  return isSessionPath(pathname) || (isAppPath(pathname) && isAppPath(documentPath()))
}
