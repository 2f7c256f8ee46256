import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { type SessionResponse, secondFactorBody } from '#contract/accounts/sessions.ts'
import * as at from '#contract/operations/addresses.ts'
import { RETENTION_DAYS } from '#contract/shared/retention.ts'
import { schemaResolver } from '#web/kit/contract-resolver.ts'
import { FormProblem } from '#web/kit/form-problem.tsx'
import { FormCheckbox } from '#web/kit/form-switch.tsx'
import { showFieldProblems, toProblem } from '#web/kit/show-problem.ts'
import { callApi } from '#web/shared/call-api.ts'
import { Button } from '#web/ui/button.tsx'
import { CodeField } from '#web/ui/code-field.tsx'
import { toast } from '#web/ui/toast.tsx'
import { logAuthEvent } from './auth-events.ts'
import { showAuthProblem } from './auth-fields.tsx'
import { AuthPage } from './auth-page.tsx'

type SecondFactorPageProps = {
  onSignedIn: (session: SessionResponse) => void
  /** Returns to the password step. `reason` is set if the server no longer accepts a code. */
  onBack: (reason?: string) => void
}

/** The second step of the login: asks for a code from the authenticator app, or a backup code. Source: rule U18. */
export function SecondFactorPage({ onSignedIn, onBack }: SecondFactorPageProps) {
  const [usesBackupCode, setUsesBackupCode] = useState(false)
  const { register, control, handleSubmit, setError, setFocus, resetField, formState } = useForm({
    resolver: schemaResolver(secondFactorBody),
    defaultValues: { code: '', trust_device: false },
  })
  const { errors, isSubmitting } = formState
  // True once the code in the field has been sent, so that typing its last digit and pressing Enter send only one request.
  const sent = useRef(false)

  // Focus the code field, because the user was typing and continues to type, also after switching to the other kind of code.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus moves whenever the kind of code changes
  useEffect(() => setFocus('code'), [setFocus, usesBackupCode])

  const verify = handleSubmit(async (body) => {
    let session: SessionResponse
    try {
      session = await callApi(at.completeSignIn, { body })
    } catch (error) {
      const problem = toProblem(error)
      if (problem.code === 'auth.second_factor_expired') return onBack(problem.message)
      if (showFieldProblems(problem, setError, ['code'])) return setFocus('code', { shouldSelect: true })
      sent.current = false
      showAuthProblem(problem, setError)
      return
    }
    logAuthEvent('MFA_CHALLENGE_VERIFIED', session.user)
    toast.success('Successfully logged in!')
    onSignedIn(session)
  })
  const verifyOnce = (event?: FormEvent) => {
    event?.preventDefault()
    if (sent.current || isSubmitting) return
    sent.current = true
    void verify()
  }
  const switchKind = () => {
    sent.current = false
    resetField('code')
    setUsesBackupCode(!usesBackupCode)
  }

  return (
    <AuthPage
      title="Two-factor authentication"
      subtitle={
        usesBackupCode
          ? 'Enter one of the backup codes you saved.'
          : 'Enter the code from your authenticator app.'
      }
    >
      <form noValidate onSubmit={verifyOnce} className="flex flex-col gap-4">
        <FormProblem message={errors.root?.message} />
        <CodeField
          label={usesBackupCode ? 'Backup code' : 'Code'}
          inputMode={usesBackupCode ? 'text' : 'numeric'}
          required
          error={errors.code?.message}
          hint={usesBackupCode ? undefined : 'We check it as soon as you’ve entered all six digits.'}
          onComplete={usesBackupCode ? undefined : verifyOnce}
          {...register('code', {
            onChange: () => {
              sent.current = false
            },
          })}
        />
        <FormCheckbox
          control={control}
          name="trust_device"
          label={`Trust this device for ${RETENTION_DAYS.trustedDevice} days`}
        />
        <Button type="submit" variant="primary" pending={isSubmitting} pendingLabel="Verifying...">
          Verify
        </Button>
        <div className="flex flex-col">
          <Button variant="ghost" onClick={() => onBack()}>
            Back to login
          </Button>
          <Button variant="ghost" onClick={switchKind}>
            {usesBackupCode ? 'Use the app instead' : 'Use a backup code instead'}
          </Button>
        </div>
      </form>
    </AuthPage>
  )
}
