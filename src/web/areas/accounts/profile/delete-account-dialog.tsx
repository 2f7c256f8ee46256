import { useMutation } from '@tanstack/react-query'
import { useId } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { accountProofBody } from '#contract/accounts/profile.ts'
import type { Owner } from '#contract/accounts/sessions.ts'
import * as at from '#contract/operations/addresses.ts'
import { toAsciiAddress } from '#contract/shared/international-names.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { contractResolver } from '#web/kit/contract-resolver.ts'
import { FormButtons } from '#web/kit/form-buttons.tsx'
import { FormProblem } from '#web/kit/form-problem.tsx'
import { showProblem, toProblem } from '#web/kit/show-problem.ts'
import { callApi } from '#web/shared/call-api.ts'
import { paths } from '#web/shared/paths.ts'
import { toReadableAddress } from '#web/shared/readable-address.ts'
import { leaveSignedOut } from '#web/shared/sign-out.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextField } from '#web/ui/field.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'

type DeleteAccountDialogProps = {
  owner: Owner
  planNote: string | null
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** Asks twice, by the address and by the password, before an account is deleted; then leaves for the home page. */
export function DeleteAccountDialog({ owner, planNote, open, onOpenChange }: DeleteAccountDialogProps) {
  const formId = useId()
  const { register, handleSubmit, setError, reset, formState } = useForm({
    resolver: contractResolver(confirmationOf(owner.email)),
    defaultValues: { email: '', password: '' },
  })
  const { mutateAsync, isSuccess } = useMutation({
    mutationFn: (password: string) => callApi(at.deleteAccount, { body: { password } }),
  })
  const { errors, isSubmitting } = formState
  // Until the next page is there, a second press would be about an account that is gone.
  const pending = isSubmitting || isSuccess

  const close = (next: boolean) => {
    if (pending) return
    // Neither a password nor this confirmation is kept for later.
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
    leaveSignedOut(paths.farewell())
  })

  return (
    <Dialog
      open={open}
      onOpenChange={close}
      title="Delete your account?"
      footer={
        <FormButtons
          formId={formId}
          onCancel={() => close(false)}
          variant="danger"
          pending={pending}
          pendingLabel="Deleting..."
        >
          Delete my account
        </FormButtons>
      }
    >
      <form id={formId} noValidate onSubmit={deleteAccount} className="flex flex-col gap-5">
        <FormProblem message={errors.root?.message} />
        <div>
          <p>This cannot be undone.</p>
          <ul className="mt-2 list-disc space-y-1 ps-5 text-ink-soft">
            <li>Your calendars, customers and appointments are deleted.</li>
            <li>Customers of future appointments are told by email that they are cancelled.</li>
            <li>Your booking links stop working for good.</li>
            {planNote !== null && <li>{planNote}</li>}
            <li>Records of payments are kept for accounting.</li>
          </ul>
        </div>
        <TextField
          label="Your email address"
          type="email"
          required
          autoComplete="off"
          hint={
            <>
              Type <span className="font-semibold break-all">{toReadableAddress(owner.email)}</span> to
              confirm.
            </>
          }
          maxLength={LIMITS.email}
          error={errors.email?.message}
          {...register('email')}
        />
        <PasswordField
          label="Password"
          required
          autoComplete="current-password"
          maxLength={LIMITS.passwordMax}
          error={errors.password?.message}
          {...register('password')}
        />
      </form>
    </Dialog>
  )
}

function confirmationOf(email: string) {
  return accountProofBody.extend({
    email: z
      .string()
      .refine(
        (typed) => toAsciiAddress(typed.trim().toLowerCase()) === email.toLowerCase(),
        'This is not your email address.',
      ),
  })
}
