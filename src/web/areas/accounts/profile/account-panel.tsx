import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { passwordConfirmationBody } from '#contract/accounts/profile.ts'
import type { Owner } from '#contract/accounts/sessions.ts'
import * as at from '#contract/operations/addresses.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { schemaResolver } from '#web/kit/contract-resolver.ts'
import { FormDialog } from '#web/kit/form-dialog.tsx'
import { FormProblem } from '#web/kit/form-problem.tsx'
import { showFieldProblems, toProblem } from '#web/kit/show-problem.ts'
import { callApiForFile } from '#web/shared/call-api.ts'
import { browserTimeZone, todayIn } from '#web/shared/format-date.ts'
import { saveFile } from '#web/shared/save-file.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Download } from '#web/ui/icons/download.ts'
import { PasswordField } from '#web/ui/password-field.tsx'
import { toast } from '#web/ui/toast.tsx'
import { DeleteAccountDialog } from './delete-account-dialog.tsx'

type AccountPanelProps = {
  owner: Owner
  /** Explains what happens to the plan when the account is deleted; null if the owner has no paid plan. */
  planNote?: string | null
}

/** The Account tab, where the owner can export all data or delete the account. */
export function AccountPanel({ owner, planNote = null }: AccountPanelProps) {
  const [deleting, setDeleting] = useState(false)
  return (
    <div className="flex flex-col gap-6">
      <ExportCard />
      <Card title="Danger Zone" className="border-danger!">
        <div className="flex flex-wrap items-center gap-x-6 gap-y-4">
          <p className="min-w-0 flex-1 basis-72 text-ink-soft">
            Deletes your account and everything in it. This can’t be undone, so you may want to export your
            data first.
          </p>
          <Button variant="danger" onClick={() => setDeleting(true)}>
            Delete my account
          </Button>
        </div>
      </Card>
      <DeleteAccountDialog owner={owner} planNote={planNote} open={deleting} onOpenChange={setDeleting} />
    </div>
  )
}

/** Lets the owner export all of their data. */
function ExportCard() {
  const [exporting, setExporting] = useState(false)
  return (
    <Card title="Your data">
      <div className="flex flex-wrap items-center gap-x-6 gap-y-4">
        <p className="min-w-0 flex-1 basis-72 text-ink-soft">
          Your profile, calendars, customers, appointments and payments in one ZIP file, for spreadsheets
          (CSV) and programs (JSON). Passwords and keys aren’t included.
        </p>
        <Button onClick={() => setExporting(true)}>
          <Download aria-hidden="true" className="size-5" />
          Export all my data
        </Button>
      </div>
      <ExportDialog open={exporting} onOpenChange={setExporting} />
    </Card>
  )
}

type ExportDialogProps = { open: boolean; onOpenChange: (open: boolean) => void }

/** Asks for the password before the export, because the export contains the names, notes and addresses of all customers. */
function ExportDialog({ open, onOpenChange }: ExportDialogProps) {
  const { register, handleSubmit, setError, reset, formState } = useForm({
    resolver: schemaResolver(passwordConfirmationBody),
    defaultValues: { password: '' },
  })
  const { errors, isSubmitting } = formState

  const close = () => {
    // Clear the password, so that it is not filled in when the dialog opens again.
    reset()
    onOpenChange(false)
  }
  const giveUp = () => {
    if (!isSubmitting) close()
  }
  const download = handleSubmit(async (proof) => {
    try {
      const archive = await callApiForFile(at.exportAccount, { body: proof })
      saveFile(archive, `meridian-${todayIn(browserTimeZone())}.zip`)
    } catch (error) {
      const problem = toProblem(error)
      if (!showFieldProblems(problem, setError, ['password'])) {
        setError('root', { message: `Failed to export your data: ${problem.message}` })
      }
      return
    }
    toast.success('We’ve downloaded your data.')
    close()
  })

  return (
    <FormDialog
      open={open}
      onOpenChange={giveUp}
      title="Export all your data?"
      description="The file has the names, addresses and notes of all your customers. Keep it somewhere only you can open it."
      pending={isSubmitting}
      pendingLabel="Preparing your data..."
      submitLabel="Export"
      onSubmit={download}
    >
      <FormProblem message={errors.root?.message} />
      <PasswordField
        maxLength={LIMITS.passwordMax}
        error={errors.password?.message}
        {...register('password')}
      />
    </FormDialog>
  )
}
