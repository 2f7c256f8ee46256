import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Calendar } from '#contract/calendars/calendars.ts'
import * as at from '#contract/operations/addresses.ts'
import type { PaymentSettings } from '#contract/payments/payment-settings.ts'
import { PROVIDER_NAMES } from '#core/payments/provider-names.ts'
import { toProblem } from '#web/kit/show-problem.ts'
import { callApi } from '#web/shared/call-api.ts'
import { Button } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast.tsx'
import { cachePaymentSettings, type PaymentProviderName } from './payment-queries.ts'

type ReuseButtonsProps = {
  calendar: Calendar
  provider: PaymentProviderName
  settings: PaymentSettings
  onConnected: () => void
}

/** Connects, with one press, the account that another calendar of the owner uses. Source: rule F14. */
export function ReuseButtons({ calendar, provider, settings, onConnected }: ReuseButtonsProps) {
  const client = useQueryClient()
  const name = PROVIDER_NAMES[provider]
  const { mutate, isPending, variables } = useMutation({
    mutationFn: (sourceId: string) =>
      callApi(at.connectAccountOfCalendar, {
        params: { id: calendar.id, provider },
        body: { calendar_id: sourceId },
      }),
    onSuccess: (saved) => {
      cachePaymentSettings(client, calendar, saved)
      onConnected()
      toast.success(`${name} account connected successfully!`)
    },
    onError: (error) => {
      const { message, errors } = toProblem(error)
      toast.error(`Failed to connect ${name}: ${message}`, {
        details: errors.map((theirs) => theirs.message),
      })
    },
  })
  const accounts = settings.reusable_accounts.filter((account) => account.provider === provider)
  return accounts.map(({ calendar_id, calendar_name, account }) => (
    <Button
      key={calendar_id}
      className="max-w-full min-w-0"
      title={account}
      pending={isPending && variables === calendar_id}
      pendingLabel="Connecting..."
      onClick={() => !isPending && mutate(calendar_id)}
    >
      <span className="min-w-0 wrap-anywhere">Use the account of {calendar_name}</span>
    </Button>
  ))
}
