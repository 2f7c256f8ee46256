import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import * as at from '#contract/operations/addresses.ts'
import { FormButtons } from '#web/kit/form-buttons.tsx'
import { callApi } from '#web/shared/call-api.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { toast } from '#web/ui/toast.tsx'
import { type Proof, ProofForm } from './proof-form.tsx'
import { twoFactorQuery } from './security-queries.ts'

type RemoveTwoFactorDialogProps = { open: boolean; onOpenChange: (open: boolean) => void }

const REMOVAL = ['security', 'removal']

/** Turning the second factor off. */
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
      description="Your password alone will open your account again, and your backup codes stop working."
      footer={
        <FormButtons
          formId={formId}
          onCancel={() => onOpenChange(false)}
          variant="danger"
          pending={isPending}
          pendingLabel="Turning off..."
        >
          Turn off
        </FormButtons>
      }
    >
      <ProofForm id={formId} onProven={remove} />
    </Dialog>
  )
}
