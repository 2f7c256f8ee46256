import type { Owner } from '#contract/accounts/sessions.ts'
import { ChangePasswordCard } from './change-password-card.tsx'
import { OperatorActionsCard } from './operator-actions-card.tsx'
import { SessionsCard } from './sessions-card.tsx'
import { TwoFactorCard } from './two-factor-card.tsx'

/** The Security tab, with password, two-factor authentication and logged-in devices. Source: rule U23. */
export function SecurityPanel({ owner }: { owner: Owner }) {
  return (
    <div className="flex flex-col gap-6">
      <ChangePasswordCard email={owner.email} />
      <TwoFactorCard />
      <SessionsCard />
      <OperatorActionsCard />
    </div>
  )
}
