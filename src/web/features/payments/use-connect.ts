import { useMutation } from '@tanstack/react-query'
import * as at from '#contract/operations/addresses.ts'
import { PROVIDER_NAMES } from '#core/booking/provider-words.ts'
import { toProblem } from '#web/kit/show-problem.ts'
import { callApi } from '#web/shared/call-api.ts'
import { toast } from '#web/ui/toast.tsx'
import type { Provider } from './payment-queries.ts'

/** Leads the owner to a provider in a new tab, or in this one where the browser opens none. Source: rule F5. */
export function useConnect(calendarId: string, provider: Provider) {
  const name = PROVIDER_NAMES[provider]
  const { mutate, isPending } = useMutation({
    mutationFn: (_tab: Window | null) =>
      callApi(at.createConnectUrl, { params: { id: calendarId, provider } }),
    onSuccess: ({ url }, tab) => {
      toast.info(`Redirecting to ${name} Connect...`)
      if (tab === null) location.assign(url)
      else tab.location.replace(url)
    },
    onError: (error, tab) => {
      tab?.close()
      toast.error(`Failed to connect ${name}: ${toProblem(error).message}`)
    },
  })
  const connect = () => {
    // Opened while the button is pressed, because browsers block a tab that opens after waiting for an answer.
    const tab = window.open('', '_blank')
    // The new page must not reach back into this page.
    if (tab !== null) tab.opener = null
    mutate(tab)
  }
  return { connect, isConnecting: isPending }
}
