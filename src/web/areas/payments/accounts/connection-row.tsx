import { useRef, useState } from 'react'
import { PROVIDER_NAMES } from '#core/payments/provider-names.ts'
import { Button } from '#web/ui/button.tsx'
import { DisconnectDialog } from './disconnect-dialog.tsx'
import type { Provider } from './payment-queries.ts'

type ConnectionRowProps = {
  calendarId: string
  provider: Provider
  /** The account in the provider's words; null while none is connected. */
  account: string | null
  /** Whether customers can pay in another way when this one is gone. */
  hasOther: boolean
  /** Null where it cannot be connected. */
  onConnect: (() => void) | null
  isConnecting: boolean
}

/** The connected account with a button to disconnect it, or a button to connect one. */
export function ConnectionRow(props: ConnectionRowProps) {
  const { provider, account, onConnect, isConnecting } = props
  const [asking, setAsking] = useState(false)
  const row = useRef<HTMLDivElement>(null)
  const name = PROVIDER_NAMES[provider]
  return (
    <div ref={row} className="flex flex-wrap items-center justify-between gap-3">
      {account === null ? (
        <p className="text-ink-soft">No account is connected.</p>
      ) : (
        <p className="min-w-0">
          Connected as <span className="font-semibold break-all">{account}</span>
        </p>
      )}
      {account === null && onConnect !== null && (
        <Button pending={isConnecting} pendingLabel="Connecting..." onClick={onConnect}>
          Connect {name}
        </Button>
      )}
      {account !== null && <Button onClick={() => setAsking(true)}>Disconnect {name}</Button>}
      <DisconnectDialog {...props} home={row} open={asking} onOpenChange={setAsking} />
    </div>
  )
}
