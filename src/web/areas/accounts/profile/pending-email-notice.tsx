import { useMutation, useQueryClient } from '@tanstack/react-query'
import * as at from '#contract/operations/addresses.ts'
import { callApi } from '#web/shared/call-api.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { toast } from '#web/ui/toast.tsx'
import { profileQuery } from './profile-queries.ts'

/** An address that waits for its link to be opened, and a button to keep the present one. */
export function PendingEmailNotice({ email, pendingEmail }: { email: string; pendingEmail: string }) {
  const client = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: () => callApi(at.cancelEmailChange),
    onSuccess: () => {
      client.setQueryData(profileQuery.queryKey, (known) => known && { ...known, pending_email: null })
      toast.success('Your email address stays as it is.')
    },
    onError: (error) => toast.error(`Failed to cancel the change: ${error.message}`),
  })
  return (
    <Notice
      role="status"
      className="sm:col-span-2"
      title={<span className="break-words">We have sent a link to {pendingEmail}</span>}
      action={
        <Button size="sm" pending={isPending} pendingLabel="Cancelling..." onClick={() => mutate()}>
          Cancel change
        </Button>
      }
    >
      Your address changes when you open it. Until then you log in with{' '}
      <span className="break-words">{email}</span>.
    </Notice>
  )
}
