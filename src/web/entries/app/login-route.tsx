import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import type { SessionResponse } from '#contract/accounts/sessions.ts'
import { LoginPage } from '#web/areas/accounts/sessions/login-page.tsx'
import { toSafeRedirect } from '#web/areas/accounts/sessions/safe-redirect.ts'
import { startSession } from '#web/areas/accounts/sessions/session-query.ts'
import { storePageState, storeToastForNextDocument } from '#web/shared/next-document.ts'
import { paths } from '#web/shared/paths.ts'
import { readSitePageData } from '#web/shared/site-page-data.ts'
import { isOwnerPagePath } from './app-paths.ts'
import { useIsMounted } from './use-is-shown.ts'

const loginApi = getRouteApi('/login')

/**
 * The login inside the owner's entry, which returns to the previous page. A visitor who loads `/login` as a document gets the
 * login page of the entry `site` instead.
 */
export function LoginRoute() {
  const { redirect } = loginApi.useSearch()
  const router = useRouter()
  const client = useQueryClient()
  const [{ demo_login, registration }] = useState(readSitePageData)
  const isShown = useIsMounted()
  const onSignedIn = async (session: SessionResponse) => {
    await startSession(client, session)
    if (!isShown()) return
    const href = toSafeRedirect(redirect, location.origin)
    if (isOwnerPagePath(new URL(href, location.origin).pathname))
      return router.navigate({ href, replace: true })
    storeToastForNextDocument()
    location.replace(href)
  }
  return (
    <LoginPage
      registerHref={registration === 'open' ? paths.register(redirect) : null}
      demo={demo_login}
      onSignedIn={(session) => void onSignedIn(session)}
      onForgotPassword={(email) => {
        storeToastForNextDocument()
        storePageState({ email })
        location.assign(paths.forgotPassword())
      }}
    />
  )
}
