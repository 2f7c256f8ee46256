import './zod-without-eval.ts'
import { type ReactNode, useLayoutEffect } from 'react'
import { sessionQuery } from '#web/features/sessions/session-query.ts'
import { paths } from '#web/shared/paths.ts'
import stylesUrl from './app.css?url'
import { App } from './app.tsx'
import { loadOwnerPagesBeforehand } from './owner-pages.ts'
import { buildQueryClient } from './query-client.ts'
import { buildRouter } from './router.tsx'

/**
 * The pages to sign in on, in the document of a public page. The owner's own pages are never there (`isRoutedHere`): browsers
 * may keep that document, and what is read for an owner is not to stay in it.
 */
type OpenedApp = {
  readonly page: ReactNode
  /** Has no more to do with the address. What is shown stays until it is replaced. */
  close(): void
}

const queryClient = buildQueryClient()

/** Between pointing at a link and pressing it. */
const JUST_ASKED_MS = 5_000

/**
 * Gets what a page to sign in on needs before it can be shown: its styles, and who is signed in.
 * @throws Error when one of them cannot be had
 */
export async function prepareApp(): Promise<void> {
  await Promise.all([loadStyles(), queryClient.fetchQuery({ ...sessionQuery, staleTime: JUST_ASKED_MS })])
}

/**
 * Opens the page at the document's address, after going to `path` where one is given. What was prepared is not waited for.
 * @throws Error when the page leads elsewhere, as it does for somebody who is signed in
 */
export async function openApp(path?: string): Promise<OpenedApp> {
  const router = buildRouter(queryClient, { inPublicPage: true })
  const entries = router.history
  if (path !== undefined) {
    entries.push(path)
    entries.flush()
  }
  await router.load()
  if (router.state.matches.length === 0) throw new Error('The page leads to another document')
  // What the next document will need.
  loadOwnerPagesBeforehand(paths.login())
  return {
    page: (
      <Styled key={path}>
        <App queryClient={queryClient} router={router} />
      </Styled>
    ),
    close() {
      entries.destroy()
      // An answer that comes later leads nowhere.
      entries.push = entries.replace = entries.go = () => undefined
    },
  }
}

/** Styles of both entries name the same classes: those of this one hold only while it is shown. */
function Styled({ children }: { children: ReactNode }) {
  useLayoutEffect(() => {
    const styles = document.querySelector<HTMLLinkElement>(`link#${STYLES_ID}`)
    if (styles === null) return
    styles.media = 'all'
    return () => {
      styles.media = NOT_YET
    }
  }, [])
  return children
}

const NOT_YET = 'not all'
const STYLES_ID = 'app-styles'

let stylesLoaded: Promise<void> | undefined

function loadStyles(): Promise<void> {
  stylesLoaded ??= new Promise<void>((resolve, reject) => {
    const link = document.createElement('link')
    link.addEventListener('load', () => resolve())
    link.addEventListener('error', () => {
      link.remove()
      stylesLoaded = undefined
      reject(new Error(`${stylesUrl} could not be loaded`))
    })
    Object.assign(link, { id: STYLES_ID, rel: 'stylesheet', media: NOT_YET, href: stylesUrl })
    document.head.append(link)
  })
  return stylesLoaded
}
