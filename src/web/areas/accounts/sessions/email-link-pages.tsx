import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import type { EmailVerificationResponse } from '#contract/accounts/sessions.ts'
import * as at from '#contract/operations/addresses.ts'
import { LOGIN_AND_REGISTRATION_PAGES } from '#contract/pages/app-pages.ts'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { SEND_ONCE_QUERY_OPTIONS } from '#web/kit/send-once.ts'
import { ApiProblem } from '#web/shared/api-client.ts'
import { callApi } from '#web/shared/call-api.ts'
import { paths } from '#web/shared/paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { LoadingState } from '#web/ui/loading-state.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { toast } from '#web/ui/toast.tsx'
import { AuthPage } from './auth-page.tsx'

type LinkPageProps<Answer> = {
  /** The token in the link; undefined if the URL lacks it. */
  token: string | undefined
  /** Called with the server's answer. Must be the same function at each render. */
  onConfirmed: (answer: Answer) => void
}

/**
 * Confirms the email address of a new account. The confirmation email links to this page. On the browser that registered, the
 * answer has the owner, who is then logged in. Source: rule U4.
 */
export function EmailConfirmationPage(props: LinkPageProps<EmailVerificationResponse>) {
  return (
    <EmailLinkPage
      {...props}
      path="/auth/callback"
      send={(token) => callApi(at.confirmEmailAddress, { body: { token } })}
      loading="Confirming your email address..."
      // The set-up welcomes an owner who is logged in. A toast would cover its fields on a phone.
      describe={({ user }) =>
        user === null ? 'Your email address is confirmed. Welcome to Meridian! You can log in now.' : null
      }
      explain={(error) =>
        error instanceof ApiProblem && error.code === 'auth.registration_replaced' ? (
          // Show no link to the login, because the later registration may have set another password. Source: rule U3.
          <>
            <p className="text-ink-soft">
              If you only registered once, somebody else typed your address. They can’t log in unless you open
              their link.
            </p>
            <ButtonLink variant="primary" href={paths.register()}>
              Register again
            </ButtonLink>
          </>
        ) : (
          <>
            <p className="text-ink-soft">
              Log in with your email address and password: if you haven’t confirmed your address yet, we’ll
              send you a new link.
            </p>
            <ButtonLink variant="primary" href={paths.login()}>
              Go to login
            </ButtonLink>
          </>
        )
      }
    />
  )
}

/** Changes the email address of an account. The email sent to the new address links to this page. */
export function EmailChangePage(props: LinkPageProps<unknown>) {
  return (
    <EmailLinkPage
      {...props}
      path="/auth/email-change"
      send={(token) => callApi(at.confirmEmailChange, { body: { token } })}
      loading="Changing your email address..."
      describe={() => 'Your email address has changed. From now on, log in with the new one.'}
      explain={() => (
        <>
          <p className="text-ink-soft">
            Your address hasn’t changed, unless this link was opened before. You can ask for a new link in
            your profile.
          </p>
          <ButtonLink variant="primary" href={paths.profile()}>
            Go to profile
          </ButtonLink>
        </>
      )}
    />
  )
}

type EmailLinkPageProps<Answer> = LinkPageProps<Answer> & {
  path: '/auth/callback' | '/auth/email-change'
  send: (token: string) => Promise<Answer>
  loading: string
  /** Returns the text of the toast after success; null for none. */
  describe: (answer: Answer) => string | null
  /** Renders the advice after an error that a retry cannot fix. */
  explain: (error: Error | null) => ReactNode
}

/** Sends the token of an emailed link, once. Offers a retry only for errors that may be temporary. */
function EmailLinkPage<Answer>(props: EmailLinkPageProps<Answer>) {
  const { token = '', path, send, loading, describe, onConfirmed, explain } = props
  const { data, isSuccess, error, refetch, isFetching } = useQuery({
    queryKey: [path, token],
    queryFn: () => send(token),
    enabled: token !== '',
    ...SEND_ONCE_QUERY_OPTIONS,
  })

  const confirmed = isSuccess ? describe(data) : undefined
  useEffect(() => {
    if (confirmed === undefined) return
    if (confirmed !== null) toast.success(confirmed)
    // The cast is safe, because `confirmed` was made from the answer.
    onConfirmed(data as Answer)
  }, [confirmed, data, onConfirmed])

  if (token !== '' && (error === null || isFetching)) {
    return (
      <AuthPage title={LOGIN_AND_REGISTRATION_PAGES[path]}>
        <LoadingState text={loading} />
      </AuthPage>
    )
  }
  const canRetry = error instanceof ApiProblem && (error.status === 0 || error.status >= 500)
  return (
    <AuthPage title={LOGIN_AND_REGISTRATION_PAGES[path]}>
      <div className="flex flex-col gap-4">
        <Notice tone="danger" role="alert">
          {error?.message ?? PROBLEMS['auth.invalid_token'].title}
        </Notice>
        {canRetry ? (
          <Button variant="primary" onClick={() => void refetch()}>
            Try again
          </Button>
        ) : (
          explain(error)
        )}
      </div>
    </AuthPage>
  )
}
