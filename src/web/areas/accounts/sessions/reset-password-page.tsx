import { useEffect, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { passwordResetBody } from '#contract/accounts/sessions.ts'
import * as at from '#contract/operations/addresses.ts'
import { SESSION_PAGES } from '#contract/pages/app-pages.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { contractResolver } from '#web/kit/contract-resolver.ts'
import { showFieldProblems, toProblem } from '#web/kit/show-problem.ts'
import { callApi } from '#web/shared/call-api.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { toast } from '#web/ui/toast.tsx'
import { logAuthEvent } from './auth-events.ts'
import { AuthPage } from './auth-page.tsx'
import { DeadLink } from './dead-link.tsx'

type ResetPasswordPageProps = {
  /** The token of the link; undefined when the address was typed without it. */
  token: string | undefined
  onChanged: () => void
}

const resetForm = passwordResetBody
  .omit({ token: true })
  .extend({ confirm_password: z.string() })
  .refine((form) => form.password === form.confirm_password, {
    path: ['confirm_password'],
    error: 'Passwords do not match!',
    when: () => true,
  })

/** Choosing a new password with the link from the mail. */
export function ResetPasswordPage({ token = '', onChanged }: ResetPasswordPageProps) {
  const [dead, setDead] = useState(token === '')
  const { register, handleSubmit, setError, formState } = useForm({
    resolver: contractResolver(resetForm),
    defaultValues: { password: '', confirm_password: '' },
  })
  const { errors, isSubmitting } = formState
  const logged = useRef(false)

  useEffect(() => {
    if (dead || logged.current) return
    logged.current = true
    logAuthEvent('PASSWORD_RECOVERY', null)
  }, [dead])

  const change = handleSubmit(async ({ password }) => {
    try {
      await callApi(at.resetPassword, { body: { token, password } })
    } catch (error) {
      const problem = toProblem(error)
      if (problem.code === 'auth.invalid_token') return setDead(true)
      if (showFieldProblems(problem, setError, ['password'])) return
      setError('root', { message: problem.message })
      toast.error(problem.message)
      return
    }
    toast.success('Your password has been changed. Please log in with the new one.')
    onChanged()
  })

  if (dead) return <DeadLink sentence={PROBLEMS['auth.invalid_token'].title} />
  return (
    <AuthPage title={SESSION_PAGES['/reset-password']}>
      <form noValidate onSubmit={change} className="flex flex-col gap-4">
        {errors.root?.message !== undefined && <Notice tone="danger">{errors.root.message}</Notice>}
        <PasswordField
          label="New Password"
          autoComplete="new-password"
          required
          hint={`At least ${LIMITS.passwordMin} characters`}
          error={errors.password?.message}
          {...register('password')}
        />
        <PasswordField
          label="Confirm Password"
          autoComplete="new-password"
          required
          error={errors.confirm_password?.message}
          {...register('confirm_password')}
        />
        <Button type="submit" variant="primary" pending={isSubmitting} pendingLabel="Saving...">
          Save new password
        </Button>
      </form>
    </AuthPage>
  )
}
