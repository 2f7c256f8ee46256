import { useEffect } from 'react'
import { LoginPage } from '#web/areas/accounts/sessions/login-page.tsx'
import { paths } from '#web/shared/paths.ts'
import { prefetchOwnerPages } from './fetch-owner-pages.ts'
import { VisitorsOnly } from './for-visitors.tsx'
import { navigateToPage } from './open-page.ts'
import type { SessionPageProps } from './session-page-props.ts'

/** Lets the owner log in, and then opens the page they wanted. */
export function Login({ query, state, site, session, onSignedIn }: SessionPageProps) {
  const redirect = query.get('redirect') ?? undefined
  useEffect(() => prefetchOwnerPages(), [])
  return (
    <VisitorsOnly session={session} redirect={redirect}>
      <LoginPage
        registerHref={site.registration === 'open' ? paths.register(redirect) : null}
        demo={site.demo_login}
        registered={
          state.isNew && state.email !== undefined
            ? { email: state.email, mailbox: site.mailbox ? paths.sandboxMail() : null }
            : undefined
        }
        onSignedIn={({ user }) => onSignedIn(user)}
        onForgotPassword={(email) => navigateToPage(paths.forgotPassword(), { state: { email } })}
      />
    </VisitorsOnly>
  )
}
