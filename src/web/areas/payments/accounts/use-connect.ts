import { useMutation } from '@tanstack/react-query'
import * as at from '#contract/operations/addresses.ts'
import { PROVIDER_NAMES } from '#core/payments/provider-names.ts'
import { toProblem } from '#web/kit/show-problem.ts'
import { callApi } from '#web/shared/call-api.ts'
import { type OpenedTab, openTab } from '#web/shared/open-tab.ts'
import { toast } from '#web/ui/toast.tsx'
import type { Provider } from './payment-queries.ts'

/** Leads the owner to a provider in a new tab, or in this one where the browser opens none. Source: rule F5. */
export function useConnect(calendarId: string, provider: Provider) {
  const name = PROVIDER_NAMES[provider]
  const { mutate, isPending } = useMutation({
    mutationFn: (_tab: OpenedTab) => callApi(at.createConnectUrl, { params: { id: calendarId, provider } }),
    onSuccess: ({ url }, tab) => {
      toast.info(`Redirecting to ${name} Connect...`)
      tab.show(url)
    },
    onError: (error, tab) => {
      tab.close()
      toast.error(`Failed to connect ${name}: ${toProblem(error).message}`)
    },
  })
  return { connect: () => mutate(openTab()), isConnecting: isPending }
}
