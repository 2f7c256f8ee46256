import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import * as at from '#contract/operations/addresses.ts'
import { SESSION_PAGES } from '#contract/pages/app-pages.ts'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { callApi } from '#web/shared/call-api.ts'
import { paths } from '#web/shared/paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { LoadingState } from '#web/ui/loading-state.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { toast } from '#web/ui/toast.tsx'
import { AuthPage } from './auth-page.tsx'
import { emailVerificationQuery } from './email-verification-query.ts'

type EmailChangePageProps = {
  /** The token of the link; undefined when the address was typed without it. */
  token: string | undefined
  onChanged: () => void
}

/** The page of the link to a new address: moves the account to it, once. */
export function EmailChangePage({ token = '', onChanged }: EmailChangePageProps) {
  const { data: changed, error, refetch, isFetching } = useQuery(emailChangeQuery(token))

  useEffect(() => {
    if (changed === undefined) return
    toast.success('Your email address is changed. From now on you log in with the new one.')
    onChanged()
  }, [changed, onChanged])

  const title = SESSION_PAGES['/auth/email-change']
  if (token !== '' && (error === null || isFetching)) {
    return (
      <AuthPage title={title}>
        <LoadingState text="Changing your email address..." />
      </AuthPage>
    )
  }
  const mayTryAgain =
    error !== null && 'status' in error && (error.status === 0 || Number(error.status) >= 500)
  return (
    <AuthPage title={title}>
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
              Your address is what it was, unless this link was opened before. You can ask for a new link in
              your profile.
            </p>
            <ButtonLink variant="primary" href={paths.profile()}>
              Go to profile
            </ButtonLink>
          </>
        )}
      </div>
    </AuthPage>
  )
}

/** Redeems the link, like that of a confirmation: one token is sent once. */
function emailChangeQuery(token: string) {
  return {
    ...emailVerificationQuery(token),
    queryKey: ['email-change', token],
    queryFn: () => callApi(at.confirmEmailChange, { body: { token } }),
  }
}
