import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { RefObject } from 'react'
import * as at from '#contract/operations/addresses.ts'
import { PROVIDER_NAMES } from '#core/payments/provider-names.ts'
import { appointmentTypesQuery } from '#web/kit/appointment-types-query.ts'
import { toProblem } from '#web/kit/show-problem.ts'
import { callApi } from '#web/shared/call-api.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { toast } from '#web/ui/toast.tsx'
import { type PaymentProviderName, paymentSettingsQuery } from './payment-queries.ts'

type DisconnectDialogProps = {
  calendarId: string
  provider: PaymentProviderName
  /** True when customers can still pay through another provider afterwards. */
  hasOther: boolean
  open: boolean
  /** Receives focus after the dialog closes, because the pressed button may no longer exist. */
  home: RefObject<HTMLElement | null>
  onOpenChange: (open: boolean) => void
}

/** Lets the owner disconnect a payment account, after explaining the effects. Source: rule F8. */
export function DisconnectPaymentAccountDialog({
  calendarId,
  provider,
  hasOther,
  open,
  home,
  onOpenChange,
}: DisconnectDialogProps) {
  const client = useQueryClient()
  const name = PROVIDER_NAMES[provider]
  const { data } = useQuery({ ...appointmentTypesQuery(calendarId), enabled: open && !hasOther })
  const priced = data?.appointment_types.filter(({ price }) => (price ?? 0) > 0).length ?? 0
  const { mutate, isPending } = useMutation({
    mutationFn: () => callApi(at.disconnectProvider, { params: { id: calendarId, provider } }),
    onSuccess: async () => {
      toast.success(`${name} account disconnected`)
      await client.invalidateQueries({ queryKey: paymentSettingsQuery(calendarId).queryKey })
      onOpenChange(false)
    },
    onError: (error) => {
      const { message, errors } = toProblem(error)
      toast.error(`Failed to disconnect ${name}: ${message}`, {
        details: errors.map((theirs) => theirs.message),
      })
    },
  })
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Disconnect ${name}?`}
      description={
        <>
          <span className="block">{consequenceOf(hasOther, priced)}</span>
          <span className="mt-2 block">
            We’ll end customers’ open checkouts. Payments through {name} can only be refunded at {name}.
          </span>
        </>
      }
      confirmLabel="Disconnect"
      pendingLabel="Disconnecting..."
      pending={isPending}
      onConfirm={mutate}
      tone="danger"
      focusAfter={() => home.current}
    />
  )
}

function consequenceOf(hasOther: boolean, priced: number): string {
  if (hasOther) return 'Customers can then only pay with the other provider.'
  if (priced === 0) return 'Customers will book without paying online.'
  const kept =
    priced === 1
      ? '1 appointment type keeps its price until you edit it'
      : `${priced} appointment types keep their prices until you edit them`
  return `Customers will book without paying online. ${kept}, and you collect the money yourself.`
}
