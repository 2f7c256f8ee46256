import { useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { LIMITS } from '#contract/limits.ts'
import { type SessionResponse, signInBody } from '#contract/sessions.ts'
import { contractResolver } from '#web/app/kit/contract-resolver.ts'
import { toProblem } from '#web/app/kit/show-problem.ts'
import { sendJson } from '#web/shared/api-client.ts'
import { paths } from '#web/shared/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { PasswordField, TextField } from '#web/ui/field.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { toast } from '#web/ui/toast.tsx'
import { AuthPage, TextLink } from './auth-page.tsx'
import { adoptSession } from './session-query.ts'

type LoginPageProps = {
  /** The address of the register page, with the page one wanted. */
  registerHref: string
  onSignedIn: () => void
  /** Leads to the page that sends the link; the address typed so far is handed on. */
  onForgotPassword: (email: string) => void
}

const loginForm = signInBody.extend({
  password: z
    .string()
    .min(1, 'Please enter your password')
    .max(LIMITS.passwordMax, 'auth.invalid_credentials'),
})

/** Signing in. Source: spec §2 "Login", §8 "Authentication". */
export function LoginPage({ registerHref, onSignedIn, onForgotPassword }: LoginPageProps) {
  const client = useQueryClient()
  const { register, handleSubmit, setError, getValues, formState } = useForm({
    resolver: contractResolver(loginForm),
    defaultValues: { email: '', password: '' },
  })
  const { errors, isSubmitting } = formState

  const signIn = handleSubmit(async (credentials) => {
    try {
      await adoptSession(client, await sendJson<SessionResponse>('POST', '/api/auth/sign-in', credentials))
    } catch (error) {
      const { message } = toProblem(error)
      setError('root', { message })
      toast.error(message)
      return
    }
    toast.success('Successfully logged in!')
    onSignedIn()
  })

  return (
    <AuthPage
      title="Welcome back"
      subtitle="Log in to manage your calendars."
      below={
        <>
          New here? <TextLink href={registerHref}>Sign up</TextLink>
        </>
      }
    >
      <form noValidate onSubmit={signIn} className="flex flex-col gap-4">
        {errors.root?.message !== undefined && <Notice tone="danger">{errors.root.message}</Notice>}
        <TextField
          label="Email"
          type="email"
          autoComplete="username"
          maxLength={LIMITS.email}
          required
          error={errors.email?.message}
          {...register('email')}
        />
        <PasswordField
          label="Password"
          autoComplete="current-password"
          required
          error={errors.password?.message}
          {...register('password')}
        />
        <Button
          type="submit"
          variant="primary"
          className="mt-1"
          pending={isSubmitting}
          pendingLabel="Logging in..."
        >
          Log in
        </Button>
        <a
          href={paths.forgotPassword()}
          className="flex min-h-11 items-center self-center rounded-control px-3 font-semibold text-link underline underline-offset-4"
          onClick={(event) => {
            event.preventDefault()
            toast.info('Enter your email address and we will send you a link to choose a new password.')
            onForgotPassword(getValues('email'))
          }}
        >
          Forgot password?
        </a>
      </form>
    </AuthPage>
  )
}
