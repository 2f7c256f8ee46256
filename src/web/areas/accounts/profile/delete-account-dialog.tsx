import { useMutation } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { passwordConfirmationBody } from '#contract/accounts/profile.ts'
import type { Owner } from '#contract/accounts/sessions.ts'
import * as at from '#contract/operations/addresses.ts'
import { toAsciiEmailAddress } from '#contract/shared/international-names.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { schemaResolver } from '#web/kit/contract-resolver.ts'
import { FormDialog } from '#web/kit/form-dialog.tsx'
import { FormProblem } from '#web/kit/form-problem.tsx'
import { showProblem, toProblem } from '#web/kit/show-problem.ts'
import { callApi } from '#web/shared/call-api.ts'
import { paths } from '#web/shared/paths.ts'
import { toReadableEmailAddress } from '#web/shared/readable-address.ts'
import { redirectAfterSignOut } from '#web/shared/sign-out.ts'
import { TextField } from '#web/ui/field.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'

type DeleteAccountDialogProps = {
  owner: Owner
  planNote: string | null
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** Deletes the account once the owner has typed their email address and password, then opens the home page. */
export function DeleteAccountDialog({ owner, planNote, open, onOpenChange }: DeleteAccountDialogProps) {
  const { register, handleSubmit, setError, reset, formState } = useForm({
    resolver: schemaResolver(confirmationOf(owner.email)),
    defaultValues: { email: '', password: '' },
  })
  const { mutateAsync, isSuccess } = useMutation({
    mutationFn: (password: string) => callApi(at.deleteAccount, { body: { password } }),
  })
  const { errors, isSubmitting } = formState
  // Stays true until the next page has loaded: the account is gone by then, so a second request would fail.
  const pending = isSubmitting || isSuccess

  const close = (next: boolean) => {
    if (pending) return
    // Clear the password and the confirmation, so that they are not filled in when the dialog opens again.
    reset()
    onOpenChange(next)
  }
  const deleteAccount = handleSubmit(async ({ password }) => {
    if (isSuccess) return
    try {
      await mutateAsync(password)
    } catch (error) {
      showProblem(toProblem(error), setError, ['password'])
      return
    }
    redirectAfterSignOut(paths.farewell())
  })

  return (
    <FormDialog
      open={open}
      onOpenChange={close}
      title="Delete your account?"
      variant="danger"
      pending={pending}
      pendingLabel="Deleting..."
      submitLabel="Delete my account"
      onSubmit={deleteAccount}
    >
      <FormProblem message={errors.root?.message} />
      <div>
        <p>This can’t be undone.</p>
        <ul className="mt-2 list-disc space-y-1 ps-5 text-ink-soft">
          <li>We’ll delete your calendars, customers and appointments.</li>
          <li>We’ll email customers of future appointments that these are cancelled.</li>
          <li>Your booking links will stop working for good.</li>
          {planNote !== null && <li>{planNote}</li>}
          <li>We keep payment records for accounting.</li>
        </ul>
      </div>
      <TextField
        label="Your email address"
        type="email"
        required
        autoComplete="off"
        hint={
          <>
            Type <span className="font-semibold break-all">{toReadableEmailAddress(owner.email)}</span> to
            confirm.
          </>
        }
        maxLength={LIMITS.email}
        error={errors.email?.message}
        {...register('email')}
      />
      <PasswordField
        maxLength={LIMITS.passwordMax}
        error={errors.password?.message}
        {...register('password')}
      />
    </FormDialog>
  )
}

function confirmationOf(email: string) {
  return passwordConfirmationBody.extend({
    email: z
      .string()
      .refine(
        (typed) => toAsciiEmailAddress(typed.trim().toLowerCase()) === email.toLowerCase(),
        'This isn’t your email address.',
      ),
  })
}
