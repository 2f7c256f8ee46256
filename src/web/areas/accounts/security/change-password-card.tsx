import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { changePasswordBody } from '#contract/accounts/security.ts'
import * as at from '#contract/operations/addresses.ts'
import { DIFFERENT_PASSWORDS_ERROR, NewPasswordFields } from '#web/areas/accounts/sessions/auth-fields.tsx'
import { schemaResolver } from '#web/kit/contract-resolver.ts'
import { FormProblem } from '#web/kit/form-problem.tsx'
import { FormSwitch } from '#web/kit/form-switch.tsx'
import { showProblem, toProblem } from '#web/kit/show-problem.ts'
import { callApi } from '#web/shared/call-api.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { toast } from '#web/ui/toast.tsx'
import { accountSessionsQuery } from './security-queries.ts'

const passwordForm = changePasswordBody
  .extend({ confirm_password: z.string() })
  .refine((form) => form.new_password === form.confirm_password, DIFFERENT_PASSWORDS_ERROR)

const EMPTY = { current_password: '', new_password: '', confirm_password: '', sign_out_others: true }

/**
 * Lets the owner change the password. Unlike other forms, this form keeps no input when the session expires, because another user
 * may log in next. Source: rule U30.
 */
export function ChangePasswordCard({ email }: { email: string }) {
  const client = useQueryClient()
  const { register, control, handleSubmit, setError, reset, formState } = useForm({
    resolver: schemaResolver(passwordForm),
    defaultValues: EMPTY,
  })
  const { errors, isSubmitting } = formState
  const { mutateAsync } = useMutation({
    mutationFn: (body: z.output<typeof changePasswordBody>) => callApi(at.changePassword, { body }),
  })

  const change = handleSubmit(async ({ confirm_password: _typedTwice, ...body }) => {
    try {
      await mutateAsync(body)
    } catch (error) {
      showProblem(toProblem(error), setError, ['current_password', 'new_password'])
      return
    }
    reset(EMPTY)
    toast.success('Password changed successfully!')
    await client.invalidateQueries({ queryKey: accountSessionsQuery.queryKey })
  })

  return (
    <Card title="Password" description="We’ll email you whenever it changes.">
      <form noValidate onSubmit={change} className="flex max-w-md flex-col gap-4">
        <FormProblem message={errors.root?.message} />
        {/* Tells password managers to which account the password belongs. */}
        <input type="text" hidden readOnly autoComplete="username" value={email} />
        <PasswordField
          label="Current password"
          error={errors.current_password?.message}
          {...register('current_password')}
        />
        <NewPasswordFields
          labels={['New password', 'Confirm new password']}
          password={{ error: errors.new_password?.message, ...register('new_password') }}
          confirmation={{ error: errors.confirm_password?.message, ...register('confirm_password') }}
        />
        <FormSwitch control={control} name="sign_out_others" label="Sign out my other devices" />
        <Button
          type="submit"
          variant="primary"
          className="self-start"
          pending={isSubmitting}
          pendingLabel="Changing..."
        >
          Change password
        </Button>
      </form>
    </Card>
  )
}
