import { useForm } from 'react-hook-form'
import { twoFactorProofBody } from '#contract/accounts/security.ts'
import { contractResolver } from '#web/kit/contract-resolver.ts'
import { FormProblem } from '#web/kit/form-problem.tsx'
import { showProblem, toProblem } from '#web/kit/show-problem.ts'
import { CodeField } from '#web/ui/code-field.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'

export type Proof = { password: string; code: string }

type ProofFormProps = {
  id: string
  /** Sends what was typed; what it throws is shown here. */
  onProven: (proof: Proof) => Promise<void>
}

/** Asks for password and code again, before what protects the account is changed. */
export function ProofForm({ id, onProven }: ProofFormProps) {
  const { register, handleSubmit, setError, formState } = useForm({
    resolver: contractResolver(twoFactorProofBody),
    defaultValues: { password: '', code: '' },
  })
  const { errors } = formState
  const prove = handleSubmit(async (proof) => {
    try {
      await onProven(proof)
    } catch (error) {
      showProblem(toProblem(error), setError, ['password', 'code'])
    }
  })
  return (
    <form id={id} noValidate onSubmit={prove} className="flex flex-col gap-4">
      <FormProblem message={errors.root?.message} />
      <PasswordField
        label="Password"
        autoComplete="current-password"
        required
        error={errors.password?.message}
        {...register('password')}
      />
      <CodeField
        label="Code"
        required
        hint="From your authenticator app, or one of your backup codes"
        error={errors.code?.message}
        {...register('code')}
      />
    </form>
  )
}
