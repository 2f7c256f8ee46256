import { useId } from 'react'
import { useForm } from 'react-hook-form'
import { accountProofBody } from '#contract/accounts/profile.ts'
import * as at from '#contract/operations/addresses.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { contractResolver } from '#web/kit/contract-resolver.ts'
import { FormButtons } from '#web/kit/form-buttons.tsx'
import { FormProblem } from '#web/kit/form-problem.tsx'
import { showFieldProblems, toProblem } from '#web/kit/show-problem.ts'
import { callForFile } from '#web/shared/call-api.ts'
import { browserTimeZone, localDateOf } from '#web/shared/format-date.ts'
import { saveFile } from '#web/shared/save-file.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { toast } from '#web/ui/toast.tsx'

type ExportDialogProps = { open: boolean; onOpenChange: (open: boolean) => void }

/** Asks for the password before the export: it has the names, notes and addresses of all customers. */
export function ExportDialog({ open, onOpenChange }: ExportDialogProps) {
  const formId = useId()
  const { register, handleSubmit, setError, reset, formState } = useForm({
    resolver: contractResolver(accountProofBody),
    defaultValues: { password: '' },
  })
  const { errors, isSubmitting } = formState

  const close = () => {
    // A password is not kept for later.
    reset()
    onOpenChange(false)
  }
  const giveUp = () => {
    if (!isSubmitting) close()
  }
  const download = handleSubmit(async (proof) => {
    try {
      const archive = await callForFile(at.exportAccount, { body: proof })
      saveFile(archive, `meridian-${localDateOf(new Date().toISOString(), browserTimeZone())}.zip`)
    } catch (error) {
      const problem = toProblem(error)
      if (!showFieldProblems(problem, setError, ['password'])) {
        setError('root', { message: `Failed to export your data: ${problem.message}` })
      }
      return
    }
    toast.success('Your data is in your downloads.')
    close()
  })

  return (
    <Dialog
      open={open}
      onOpenChange={giveUp}
      title="Export all your data?"
      description="The file has the names, addresses and notes of all your customers. Keep it where only you can open it."
      footer={
        <FormButtons
          formId={formId}
          onCancel={giveUp}
          pending={isSubmitting}
          pendingLabel="Preparing your data..."
        >
          Export
        </FormButtons>
      }
    >
      <form id={formId} noValidate onSubmit={download} className="flex flex-col gap-5">
        <FormProblem message={errors.root?.message} />
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
