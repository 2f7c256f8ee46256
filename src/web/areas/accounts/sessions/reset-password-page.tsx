import { useEffect, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { passwordResetBody } from '#contract/accounts/sessions.ts'
import * as at from '#contract/operations/addresses.ts'
import { LOGIN_AND_REGISTRATION_PAGES } from '#contract/pages/app-pages.ts'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { schemaResolver } from '#web/kit/contract-resolver.ts'
import { FormProblem } from '#web/kit/form-problem.tsx'
import { toProblem } from '#web/kit/show-problem.ts'
import { callApi } from '#web/shared/call-api.ts'
import { paths } from '#web/shared/paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { toast } from '#web/ui/toast.tsx'
import { logAuthEvent } from './auth-events.ts'
import { DIFFERENT_PASSWORDS_ERROR, NewPasswordFields, showAuthProblem } from './auth-fields.tsx'
import { AuthPage, TextLink } from './auth-page.tsx'

type ResetPasswordPageProps = {
  /** The token in the link; undefined if the URL lacks it. */
  token: string | undefined
  onChanged: () => void
}

const resetForm = passwordResetBody
  .omit({ token: true })
  .extend({ confirm_password: z.string() })
  .refine((form) => form.password === form.confirm_password, DIFFERENT_PASSWORDS_ERROR)

/** Lets the user set a new password. The reset email links to this page with a token. */
export function ResetPasswordPage({ token = '', onChanged }: ResetPasswordPageProps) {
  const [expired, setExpired] = useState(token === '')
  const { register, handleSubmit, setError, formState } = useForm({
    resolver: schemaResolver(resetForm),
    defaultValues: { password: '', confirm_password: '' },
  })
  const { errors, isSubmitting } = formState
  const logged = useRef(false)

  useEffect(() => {
    if (expired || logged.current) return
    logged.current = true
    logAuthEvent('PASSWORD_RECOVERY', null)
  }, [expired])

  const change = handleSubmit(async ({ password }) => {
    try {
      await callApi(at.resetPassword, { body: { token, password } })
    } catch (error) {
      if (toProblem(error).code === 'auth.invalid_token') setExpired(true)
      else showAuthProblem(error, setError, ['password'])
      return
    }
    toast.success('Your password has been changed. Please log in with the new one.')
    onChanged()
  })

  if (expired) return <ExpiredLink />
  return (
    <AuthPage title={LOGIN_AND_REGISTRATION_PAGES['/reset-password']}>
      <form noValidate onSubmit={change} className="flex flex-col gap-4">
        <FormProblem message={errors.root?.message} />
        <NewPasswordFields
          labels={['New password', 'Confirm password']}
          password={{ error: errors.password?.message, ...register('password') }}
          confirmation={{ error: errors.confirm_password?.message, ...register('confirm_password') }}
        />
        <Button type="submit" variant="primary" pending={isSubmitting} pendingLabel="Saving...">
          Save new password
        </Button>
      </form>
    </AuthPage>
  )
}

/** Tells the user that the reset link has expired, with a link to request a new one. */
function ExpiredLink() {
  return (
    <AuthPage
      title={LOGIN_AND_REGISTRATION_PAGES['/reset-password']}
      below={<TextLink href={paths.login()}>Back to login</TextLink>}
    >
      <div className="flex flex-col gap-4">
        <Notice tone="danger" role="alert">
          {PROBLEMS['auth.invalid_token'].title}
        </Notice>
        <ButtonLink variant="primary" href={paths.forgotPassword()}>
          Get a new link
        </ButtonLink>
      </div>
    </AuthPage>
  )
}
