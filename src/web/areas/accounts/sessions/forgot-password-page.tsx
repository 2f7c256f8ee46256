import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { passwordResetRequestBody } from '#contract/accounts/sessions.ts'
import * as at from '#contract/operations/addresses.ts'
import { LOGIN_AND_REGISTRATION_PAGES } from '#contract/pages/app-pages.ts'
import { schemaResolver } from '#web/kit/contract-resolver.ts'
import { FormProblem } from '#web/kit/form-problem.tsx'
import { callApi } from '#web/shared/call-api.ts'
import { paths } from '#web/shared/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { EmailField, showAuthProblem } from './auth-fields.tsx'
import { AuthPage, TextLink } from './auth-page.tsx'

/** Lets the user request an email with a password reset link. The page looks the same whether or not the account exists. */
export function ForgotPasswordPage({ email = '' }: { email?: string | undefined }) {
  const [sentTo, setSentTo] = useState<string | null>(null)
  const { register, handleSubmit, setError, formState } = useForm({
    resolver: schemaResolver(passwordResetRequestBody),
    defaultValues: { email },
  })
  const { errors, isSubmitting } = formState

  const ask = handleSubmit(async (body) => {
    try {
      await callApi(at.requestPasswordReset, { body })
      setSentTo(body.email)
    } catch (error) {
      showAuthProblem(error, setError)
    }
  })

  return (
    <AuthPage
      {...(sentTo === null ? ASKING : SENT)}
      below={<TextLink href={paths.login()}>Back to login</TextLink>}
    >
      {sentTo === null ? (
        <form noValidate onSubmit={ask} className="flex flex-col gap-4">
          <FormProblem message={errors.root?.message} />
          <EmailField error={errors.email?.message} {...register('email')} />
          <Button type="submit" variant="primary" pending={isSubmitting} pendingLabel="Sending...">
            Send link
          </Button>
        </form>
      ) : (
        <div className="flex flex-col gap-4">
          <Notice tone="success" role="status">
            If there is an account for <strong className="break-words">{sentTo}</strong>, a link to choose a
            new password is on its way. Check your spam folder, too.
          </Notice>
          <Button onClick={() => setSentTo(null)}>Use another address</Button>
        </div>
      )}
    </AuthPage>
  )
}

const ASKING = {
  title: 'Forgot password?',
  documentTitle: LOGIN_AND_REGISTRATION_PAGES['/forgot-password'],
  subtitle: 'We’ll send you a link to choose a new one.',
}

const SENT = {
  title: 'Check your email',
  subtitle: 'Open the link in it to choose a new password.',
}
