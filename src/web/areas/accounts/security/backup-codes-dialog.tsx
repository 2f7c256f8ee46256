import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import * as at from '#contract/operations/addresses.ts'
import { FormButtons } from '#web/kit/form-buttons.tsx'
import { callApi } from '#web/shared/call-api.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { BackupCodes } from './backup-codes.tsx'
import { type Proof, ProofForm } from './proof-form.tsx'
import { twoFactorQuery } from './security-queries.ts'

type BackupCodesDialogProps = { open: boolean; onOpenChange: (open: boolean) => void }

const NEW_CODES = ['security', 'backup-codes']

/** Ten new backup codes instead of those that are left. */
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
      title="Make new backup codes?"
      description="The ones you have stop working."
      footer={
        <FormButtons
          formId={formId}
          onCancel={() => onOpenChange(false)}
          pending={isPending}
          pendingLabel="Making them..."
        >
          Make new codes
        </FormButtons>
      }
    >
      <ProofForm id={formId} onProven={replace} />
    </Dialog>
  )
}
