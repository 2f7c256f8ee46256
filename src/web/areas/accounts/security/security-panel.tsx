import type { Owner } from '#contract/accounts/sessions.ts'
import { ChangePasswordCard } from './change-password-card.tsx'
import { SessionsCard } from './sessions-card.tsx'
import { TwoFactorCard } from './two-factor-card.tsx'

/** How the owner logs in, and on which devices they are logged in. Source: rule U23. */
export function SecurityPanel({ owner }: { owner: Owner }) {
  return (
    <div className="flex flex-col gap-6">
      <ChangePasswordCard email={owner.email} />
      <TwoFactorCard />
      <SessionsCard />
    </div>
  )
}
