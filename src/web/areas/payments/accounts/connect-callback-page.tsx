import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { PROVIDER_NAMES } from '#core/payments/provider-names.ts'
import { toProblem } from '#web/kit/show-problem.ts'
import type { ApiProblem } from '#web/shared/api-client.ts'
import { LoadingState } from '#web/ui/loading-state.tsx'
import { toast } from '#web/ui/toast.tsx'
import { completeConnectionQuery, type PaymentProviderName } from './payment-queries.ts'

type ConnectCallbackPageProps = {
  provider: PaymentProviderName
  /** The query parameters that the provider added to the redirect URL. */
  callback: { code?: string; state?: string; error?: string }
  onConnected: (calendarId: string) => void
  onFailed: () => void
}

/** The page to which a provider redirects the owner. Connects the account, then calls `onConnected`. Source: rule F4. */
export function ConnectCallbackPage({ provider, callback, onConnected, onFailed }: ConnectCallbackPageProps) {
  const name = PROVIDER_NAMES[provider]
  const { code = '', state = '', error } = callback
  const isComplete = error === undefined && code !== '' && state !== ''
  const connection = useQuery({ ...completeConnectionQuery({ provider, code, state }), enabled: isComplete })
  const { data, error: refusal } = connection

  useEffect(() => {
    if (isComplete && refusal === null) return
    if (error !== undefined) toast.error(`${name} connection cancelled or failed`)
    else if (refusal === null) toast.error(`Invalid callback from ${name}`)
    else tellRefusal(name, toProblem(refusal))
    onFailed()
  }, [isComplete, error, refusal, name, onFailed])

  useEffect(() => {
    if (data === undefined) return
    toast.success(`${name} account connected successfully!`)
    onConnected(data.calendar_id)
  }, [data, name, onConnected])

  return (
    <main className="mx-auto w-full max-w-6xl flex-1 px-4 py-6">
      <LoadingState text={`Connecting your ${name} account...`} />
    </main>
  )
}

function tellRefusal(name: string, { code, errors, message }: ApiProblem): void {
  if (code === 'payment.callback_invalid') {
    toast.error(`Invalid callback from ${name}`)
    return
  }
  const words = errors.length === 0 ? [message] : errors.map((theirs) => theirs.message)
  toast.error(`Failed to connect ${name} account`, { details: words })
}
