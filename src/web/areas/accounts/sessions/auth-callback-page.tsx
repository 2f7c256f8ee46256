import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { SESSION_PAGES } from '#contract/pages/app-pages.ts'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { paths } from '#web/shared/paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { LoadingState } from '#web/ui/loading-state.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { toast } from '#web/ui/toast.tsx'
import { AuthPage } from './auth-page.tsx'
import { emailVerificationQuery } from './email-verification-query.ts'

type AuthCallbackPageProps = {
  /** The token of the link; undefined when the address was typed without it. */
  token: string | undefined
  onConfirmed: () => void
}

/**
 * The page of the link in the confirmation mail: confirms the address, once, and goes on to the login. Source: rule U4.
 */
export function AuthCallbackPage({ token = '', onConfirmed }: AuthCallbackPageProps) {
  const { data: confirmed, error, refetch, isFetching } = useQuery(emailVerificationQuery(token))

  useEffect(() => {
    if (confirmed === undefined) return
    toast.success('Your email address is confirmed. Welcome to Meridian! You can log in now.')
    onConfirmed()
  }, [confirmed, onConfirmed])

  if (token !== '' && (error === null || isFetching)) {
    return (
      <AuthPage title={SESSION_PAGES['/auth/callback']}>
        <LoadingState text="Confirming your email address..." />
      </AuthPage>
    )
  }
  const mayTryAgain =
    error !== null && 'status' in error && (error.status === 0 || Number(error.status) >= 500)
  const isReplaced = error !== null && 'code' in error && error.code === 'auth.registration_replaced'
  return (
    <AuthPage title={SESSION_PAGES['/auth/callback']}>
      <div className="flex flex-col gap-4">
        <Notice tone="danger" role="alert">
          {error?.message ?? PROBLEMS['auth.invalid_token'].title}
        </Notice>
        <WayOn isReplaced={isReplaced} onTryAgain={mayTryAgain ? () => void refetch() : null} />
      </div>
    </AuthPage>
  )
}

type WayOnProps = {
  /**
   * The address was registered again since. A login would not help: somebody else's password may count now.
   * Source: rule U3.
   */
  isReplaced: boolean
  /** Null when another try would change nothing. */
  onTryAgain: (() => void) | null
}

function WayOn({ isReplaced, onTryAgain }: WayOnProps) {
  if (onTryAgain !== null) {
    return (
      <Button variant="primary" onClick={onTryAgain}>
        Try again
      </Button>
    )
  }
  if (isReplaced) {
    return (
      <>
        <p className="text-ink-soft">
          If you registered once only, somebody else has typed your address. They cannot log in unless you
          open the link that they caused.
        </p>
        <ButtonLink variant="primary" href={paths.register()}>
          Register again
        </ButtonLink>
      </>
    )
  }
  return (
    <>
      <p className="text-ink-soft">
        Log in with your email address and password: if your address is not confirmed yet, we send you a new
        link.
      </p>
      <ButtonLink variant="primary" href={paths.login()}>
        Go to login
      </ButtonLink>
    </>
  )
}
