import '#web/kit/zod-without-eval.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ComponentType, useState } from 'react'
import type { EmailVerificationResponse } from '#contract/accounts/sessions.ts'
import type { LOGIN_AND_REGISTRATION_PAGES } from '#contract/pages/app-pages.ts'
import { useLogAuthEvents } from '#web/areas/accounts/sessions/auth-events.ts'
import { EmailChangePage, EmailConfirmationPage } from '#web/areas/accounts/sessions/email-link-pages.tsx'
import { ForgotPasswordPage } from '#web/areas/accounts/sessions/forgot-password-page.tsx'
import { RegisterPage } from '#web/areas/accounts/sessions/register-page.tsx'
import { ResetPasswordPage } from '#web/areas/accounts/sessions/reset-password-page.tsx'
import { workspacePaths } from '#web/kit/workspace-paths.ts'
import { paths } from '#web/shared/paths.ts'
import { VisitorsOnly } from './for-visitors.tsx'
import { Login } from './login.tsx'
import { navigateToPage } from './open-page.ts'
import type { SessionPageProps } from './session-page-props.ts'

/** The pages around the login. They are a separate chunk, which only users who are about to log in download. */
export function SessionPage(props: SessionPageProps) {
  const [client] = useState(() => new QueryClient({ defaultOptions: { queries: { networkMode: 'always' } } }))
  const Page = PAGES[props.path]
  useLogAuthEvents(props.session.owner)
  return (
    <QueryClientProvider client={client}>
      <Page {...props} />
    </QueryClientProvider>
  )
}

const PAGES: Readonly<Record<keyof typeof LOGIN_AND_REGISTRATION_PAGES, ComponentType<SessionPageProps>>> = {
  '/login': Login,
  '/register': Register,
  '/forgot-password': ({ state }) => <ForgotPasswordPage email={state.email} />,
  '/reset-password': ({ query }) => <ResetPasswordPage token={tokenIn(query)} onChanged={goToLogin} />,
  '/auth/callback': ({ query }) => (
    <EmailConfirmationPage token={tokenIn(query)} onConfirmed={followConfirmation} />
  ),
  '/auth/email-change': ({ query }) => (
    <EmailChangePage token={tokenIn(query)} onConfirmed={goToProfileByLogin} />
  ),
}

/** Lets a visitor create an account, and then opens the login. */
function Register({ query, site, session }: SessionPageProps) {
  const redirect = query.get('redirect') ?? undefined
  return (
    <VisitorsOnly session={session} redirect={redirect}>
      <RegisterPage
        loginHref={paths.login(redirect)}
        isTrial={site.sandbox}
        registration={site.registration}
        invitation={invitationIn(query)}
        onRegistered={(email) => navigateToPage(paths.login(redirect), { state: { email, isNew: true } })}
      />
    </VisitorsOnly>
  )
}

/** Opens the set-up if the link has logged the owner in, otherwise the login. */
function followConfirmation({ user }: EmailVerificationResponse): void {
  if (user === null) {
    goToLogin()
    return
  }
  location.replace(workspacePaths.setup())
}

function goToLogin(): void {
  navigateToPage(paths.login(), { replace: true })
}

/** Opens the profile through the login page, which redirects users who are already logged in. */
function goToProfileByLogin(): void {
  navigateToPage(paths.login(paths.profile()), { replace: true })
}

function invitationIn(query: URLSearchParams): { id: string; email: string } | undefined {
  const [id, email] = [query.get('invitation'), query.get('email')]
  return id === null || email === null ? undefined : { id, email }
}

function tokenIn(query: URLSearchParams): string | undefined {
  return query.get('token') ?? undefined
}
