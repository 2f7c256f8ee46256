import './zod-without-eval.ts'
import type { RouterHistory } from '@tanstack/react-router'
import { type ReactNode, useLayoutEffect } from 'react'
import { sessionQuery } from '#web/features/sessions/session-query.ts'
import stylesUrl from './app.css?url'
import { App } from './app.tsx'
import { loadOwnerPagesBeforehand } from './owner-pages.ts'
import { buildQueryClient } from './query-client.ts'
import { buildRouter } from './router.tsx'

/** The pages of this entry as they stand in the document of a public page, until somebody goes back to that. */
export type OpenedApp = {
  readonly page: ReactNode
  /** Follows the address no more. What is shown stays until it is replaced. */
  close(): void
}

/** One for a document, as in a document of this entry: whoever comes back finds what they were shown. */
const queryClient = buildQueryClient()

/** Between pointing at a link and pressing it. */
const JUST_ASKED_MS = 5_000

/**
 * Gets what a page to sign in on needs before it can be shown: its styles, and who is signed in.
 * @throws Error when the styles cannot be loaded
 */
export async function prepareApp(): Promise<void> {
  await Promise.all([loadStyles(), queryClient.prefetchQuery({ ...sessionQuery, staleTime: JUST_ASKED_MS })])
}

/**
 * Opens the page at the document's address, after going to `path` where one is given.
 * @throws Error when the styles cannot be loaded
 */
export async function openApp(path?: string): Promise<OpenedApp> {
  await prepareApp()
  const router = buildRouter(queryClient)
  if (path !== undefined) leaveFor(path, router.history)
  await router.load()
  loadOwnerPagesBeforehand(router.state.location.pathname)
  return {
    page: (
      <Styled>
        <App queryClient={queryClient} router={router} />
      </Styled>
    ),
    close() {
      router.history.destroy()
      history.scrollRestoration = 'auto'
    },
  }
}

/** The router scrolls by itself, which it said of the page that is left; there, the browser does. */
function leaveFor(path: string, entries: RouterHistory): void {
  history.scrollRestoration = 'auto'
  entries.push(path)
  entries.flush()
  history.scrollRestoration = 'manual'
}

/** Styles of both entries name the same classes: those of this one hold only while it is shown. */
function Styled({ children }: { children: ReactNode }) {
  useLayoutEffect(() => {
    const styles = findStyles()
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

function findStyles(): HTMLLinkElement | null {
  return document.querySelector<HTMLLinkElement>(`link#${STYLES_ID}`)
}

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
    document.head.append(
      Object.assign(link, { id: STYLES_ID, rel: 'stylesheet', media: NOT_YET, href: stylesUrl }),
    )
  })
  return stylesLoaded
}
