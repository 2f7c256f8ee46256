import { useEffect } from 'react'
import { LoginPage } from '#web/areas/accounts/sessions/login-page.tsx'
import { paths } from '#web/shared/paths.ts'
import { fetchOwnerPages } from './fetch-owner-pages.ts'
import { ForVisitors } from './for-visitors.tsx'
import { openPage } from './open-page.ts'
import type { SessionPageProps } from './session-page-props.ts'

/** Lets the owner log in, and then opens the page they wanted. */
export function Login({ query, state, site, session, onSignedIn }: SessionPageProps) {
  const redirect = query.get('redirect') ?? undefined
  useEffect(() => fetchOwnerPages(), [])
  return (
    <ForVisitors session={session} redirect={redirect}>
      <LoginPage
        registerHref={paths.register(redirect)}
        demo={site.demo_login}
        registered={
          state.isNew && state.email !== undefined
            ? { email: state.email, mailbox: site.mailbox ? paths.sandboxMail() : null }
            : undefined
        }
        onSignedIn={({ user }) => onSignedIn(user)}
        onForgotPassword={(email) => openPage(paths.forgotPassword(), { state: { email } })}
      />
    </ForVisitors>
  )
}
