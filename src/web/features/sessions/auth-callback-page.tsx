import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { APP_PAGES } from '#contract/app-pages.ts'
import { PROBLEMS } from '#contract/problem.ts'
import { paths } from '#web/shared/paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { LoadingState } from '#web/ui/loading-state.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { toast } from '#web/ui/toast.tsx'
import { AuthPage } from './auth-page.tsx'
import { emailVerificationQuery } from './email-verification-query.ts'

type AuthCallbackPageProps = {
  /** What the mailed link carries; undefined when the address was typed without it. */
  token: string | undefined
  onConfirmed: () => void
}

/** Where the link of the confirmation mail leads: confirms the address, once, and goes on to the login. Source: spec §7. */
export function AuthCallbackPage({ token = '', onConfirmed }: AuthCallbackPageProps) {
  const { data: confirmed, error, refetch, isFetching } = useQuery(emailVerificationQuery(token))

  useEffect(() => {
    if (confirmed === undefined) return
    toast.success('Your email address is confirmed. Welcome to Meridian! You can log in now.')
    onConfirmed()
  }, [confirmed, onConfirmed])

  if (token !== '' && (error === null || isFetching)) {
    return (
      <AuthPage title={APP_PAGES['/auth/callback']}>
        <LoadingState text="Confirming your email address..." />
      </AuthPage>
    )
  }
  const mayTryAgain =
    error !== null && 'status' in error && (error.status === 0 || Number(error.status) >= 500)
  return (
    <AuthPage title={APP_PAGES['/auth/callback']}>
      <div className="flex flex-col gap-4">
        <Notice tone="danger" role="alert">
          {error?.message ?? PROBLEMS['auth.invalid_token'].title}
        </Notice>
        {mayTryAgain ? (
          <Button variant="primary" onClick={() => refetch()}>
            Try again
          </Button>
        ) : (
          <>
            <p className="text-ink-soft">
              Log in with your email address and password: if your address is not confirmed yet, we send you a
              new link.
            </p>
            <ButtonLink variant="primary" href={paths.login()}>
              Go to login
            </ButtonLink>
          </>
        )}
      </div>
    </AuthPage>
  )
}
