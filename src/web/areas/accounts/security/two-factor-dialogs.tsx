import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useForm } from 'react-hook-form'
import { twoFactorConfirmationBody } from '#contract/accounts/security.ts'
import * as at from '#contract/operations/addresses.ts'
import { schemaResolver } from '#web/kit/contract-resolver.ts'
import { CopyButton } from '#web/kit/copy-button.tsx'
import { FormButtons } from '#web/kit/form-dialog.tsx'
import { FormProblem } from '#web/kit/form-problem.tsx'
import { showProblem, toProblem } from '#web/kit/show-problem.ts'
import { callApi } from '#web/shared/call-api.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { CodeField } from '#web/ui/code-field.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Download } from '#web/ui/icons/download.ts'
import { PasswordField } from '#web/ui/password-field.tsx'
import { toast } from '#web/ui/toast.tsx'
import { twoFactorQuery } from './security-queries.ts'

type BackupCodesDialogProps = { open: boolean; onOpenChange: (open: boolean) => void }

const NEW_CODES = ['security', 'backup-codes']

/** Lets the owner replace the backup codes with ten new ones. */
export function BackupCodesDialog({ open, onOpenChange }: BackupCodesDialogProps) {
  const client = useQueryClient()
  const formId = useId()
  const { mutateAsync, isPending, data } = useMutation({
    mutationKey: NEW_CODES,
    mutationFn: (proof: Proof) => callApi(at.replaceBackupCodes, { body: proof }),
  })
  const replace = async (proof: Proof) => {
    if (client.isMutating({ mutationKey: NEW_CODES }) > 0) return
    await mutateAsync(proof)
    await client.invalidateQueries({ queryKey: twoFactorQuery.queryKey })
  }
  if (data !== undefined) {
    return (
      <Dialog open={open} onOpenChange={onOpenChange} title="Save your backup codes" dismissible={false}>
        <BackupCodes codes={data.backup_codes} onDone={() => onOpenChange(false)} />
      </Dialog>
    )
  }
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Create new backup codes?"
      description="Your current codes will stop working."
      footer={
        <FormButtons
          formId={formId}
          onCancel={() => onOpenChange(false)}
          pending={isPending}
          pendingLabel="Creating codes..."
          submitLabel="Create new codes"
        />
      }
    >
      <ProofForm id={formId} onProven={replace} />
    </Dialog>
  )
}

type RemoveTwoFactorDialogProps = { open: boolean; onOpenChange: (open: boolean) => void }

const REMOVAL = ['security', 'removal']

/** Lets the owner turn two-factor authentication off. */
export function RemoveTwoFactorDialog({ open, onOpenChange }: RemoveTwoFactorDialogProps) {
  const client = useQueryClient()
  const formId = useId()
  const { mutateAsync, isPending } = useMutation({
    mutationKey: REMOVAL,
    mutationFn: (proof: Proof) => callApi(at.removeTwoFactor, { body: proof }),
  })
  const remove = async (proof: Proof) => {
    if (client.isMutating({ mutationKey: REMOVAL }) > 0) return
    client.setQueryData(twoFactorQuery.queryKey, await mutateAsync(proof))
    toast.success('Two-factor authentication is off')
    onOpenChange(false)
  }
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Turn off two-factor authentication?"
      description="Your password alone will open your account, and your backup codes will stop working."
      footer={
        <FormButtons
          formId={formId}
          onCancel={() => onOpenChange(false)}
          variant="danger"
          pending={isPending}
          pendingLabel="Turning off..."
          submitLabel="Turn off"
        />
      }
    >
      <ProofForm id={formId} onProven={remove} />
    </Dialog>
  )
}

type Proof = { password: string; code: string }

type ProofFormProps = {
  id: string
  /** Sends the password and the code. The form shows errors that this function throws. */
  onProven: (proof: Proof) => Promise<void>
}

/** Asks for the password and a code before two-factor authentication is changed. */
function ProofForm({ id, onProven }: ProofFormProps) {
  const { register, handleSubmit, setError, formState } = useForm({
    resolver: schemaResolver(twoFactorConfirmationBody),
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
      <PasswordField error={errors.password?.message} {...register('password')} />
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

type BackupCodesProps = { codes: readonly string[]; onDone: () => void }

/**
 * Shows backup codes for a login without the phone until the owner confirms that they are saved. The codes are shown only once,
 * because the server stores them encrypted. Source: rule U20.
 */
export function BackupCodes({ codes, onDone }: BackupCodesProps) {
  const [saved, setSaved] = useState(false)
  const text = codes.join('\n')
  return (
    <div className="flex flex-col gap-4">
      <p>
        Keep these codes in a safe place, not on your phone. Each one works once in place of a code from your
        app.
        <strong> You won’t see them again.</strong>
      </p>
      <ul
        aria-label="Backup codes"
        className="grid grid-cols-2 gap-x-6 gap-y-2 rounded-control bg-sunken p-4 text-center font-mono text-base"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-3">
        <CopyButton text={text} label="Copy backup codes" done="Copied to clipboard!">
          Copy
        </CopyButton>
        <ButtonLink
          size="sm"
          download="meridian-backup-codes.txt"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${text}\n`)}`}
        >
          <Download aria-hidden="true" className="size-4" />
          Download
        </ButtonLink>
      </div>
      <div className="flex flex-wrap items-center justify-between gap-4 border-t border-line pt-5">
        <Checkbox label="I’ve saved these codes" checked={saved} onChange={setSaved} />
        <Button variant="primary" className="ms-auto" disabled={!saved} onClick={onDone}>
          Done
        </Button>
      </div>
    </div>
  )
}
