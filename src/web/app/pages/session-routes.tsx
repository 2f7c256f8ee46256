import { getRouteApi, useLocation, useNavigate, useRouter } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { AuthCallbackPage } from '#web/features/sessions/auth-callback-page.tsx'
import { EmailChangePage } from '#web/features/sessions/email-change-page.tsx'
import { ForgotPasswordPage } from '#web/features/sessions/forgot-password-page.tsx'
import { LoginPage } from '#web/features/sessions/login-page.tsx'
import { RegisterPage } from '#web/features/sessions/register-page.tsx'
import { ResetPasswordPage } from '#web/features/sessions/reset-password-page.tsx'
import { toSafeRedirect } from '#web/features/sessions/safe-redirect.ts'
import { carryToast } from '#web/shared/carried-toast.ts'
import { paths } from '#web/shared/paths.ts'
import { readSitePageData } from '#web/shared/site-page-data.ts'
import { isRoutedHere } from '../routed-here.ts'
import { useIsShown } from '../use-is-shown.ts'

const loginApi = getRouteApi('/login')
const registerApi = getRouteApi('/register')
const resetPasswordApi = getRouteApi('/reset-password')
const authCallbackApi = getRouteApi('/auth/callback')
const emailChangeApi = getRouteApi('/auth/email-change')

declare module '@tanstack/react-router' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: the library is told of history state by merging this interface
  interface HistoryState {
    /** The address typed on the login page, for whoever forgot their password; or that of a new account. */
    email?: string
    /** The account has just been opened. */
    isNew?: boolean
  }
}

/** `/login`, and on to the page one wanted. */
export function LoginRoute() {
  const search = loginApi.useSearch()
  const router = useRouter()
  const navigate = useNavigate()
  const { state } = useLocation()
  const [{ demo_login, mailbox }] = useState(readSitePageData)
  const isShown = useIsShown()
  const onward = () => {
    if (!isShown()) return
    const href = toSafeRedirect(search.redirect, location.origin)
    const { pathname } = new URL(href, location.origin)
    const { context } = router.options
    if (isRoutedHere(pathname, context)) return router.navigate({ href, replace: true })
    // There it is known from the start who is signed in (`prepareApp`): when that changes, the guard of this page leads on.
    if (context.inPublicPage) return
    carryToast()
    location.replace(href)
  }
  return (
    <LoginPage
      registerHref={router.buildLocation({ to: '/register', search }).href}
      demo={demo_login}
      registered={
        state.isNew && state.email !== undefined
          ? { email: state.email, mailbox: mailbox ? paths.sandboxMail() : null }
          : undefined
      }
      onSignedIn={onward}
      onForgotPassword={(email) => navigate({ to: '/forgot-password', state: { email } })}
    />
  )
}

/** `/register`, and on to `/login`. */
export function RegisterRoute() {
  const search = registerApi.useSearch()
  const router = useRouter()
  const navigate = useNavigate()
  const [{ sandbox: isTrial }] = useState(readSitePageData)
  return (
    <RegisterPage
      loginHref={router.buildLocation({ to: '/login', search }).href}
      isTrial={isTrial}
      onRegistered={(email) => navigate({ to: '/login', search, state: { email, isNew: true } })}
    />
  )
}

/** `/forgot-password` */
export function ForgotPasswordRoute() {
  return <ForgotPasswordPage email={useLocation().state.email} />
}

/** `/reset-password?token=` */
export function ResetPasswordRoute() {
  const { token } = resetPasswordApi.useSearch()
  const navigate = useNavigate()
  return <ResetPasswordPage token={token} onChanged={() => navigate({ to: '/login', replace: true })} />
}

/** `/auth/callback?token=` */
export function AuthCallbackRoute() {
  const { token } = authCallbackApi.useSearch()
  const navigate = useNavigate()
  const onConfirmed = useCallback(() => void navigate({ to: '/login', replace: true }), [navigate])
  return <AuthCallbackPage token={token} onConfirmed={onConfirmed} />
}

/** `/auth/email-change?token=`, and on to the profile, by way of the login where nobody is signed in. */
export function EmailChangeRoute() {
  const { token } = emailChangeApi.useSearch()
  const navigate = useNavigate()
  const onChanged = useCallback(
    () => void navigate({ to: '/login', search: { redirect: paths.profile() }, replace: true }),
    [navigate],
  )
  return <EmailChangePage token={token} onChanged={onChanged} />
}
