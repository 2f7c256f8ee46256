import { useQuery } from '@tanstack/react-query'
import type { OperatorAction } from '#contract/accounts/operator-actions.ts'
import { PLANS, type PlanTier } from '#core/plans/plan.ts'
import { Card } from '#web/ui/card.tsx'
import { formatMoment } from './format-moment.ts'
import { operatorActionsQuery } from './security-queries.ts'

/** Lists what the operator of the site did to the account. Most accounts have no such action, and see nothing. Source: rule U37. */
export function OperatorActionsCard() {
  const { data: actions = [] } = useQuery(operatorActionsQuery)
  if (actions.length === 0) return null
  return (
    <Card
      title="Site operator"
      description="Changes that the operator of this site made to your account. If you didn’t ask for them, please contact the operator."
    >
      <ul className="-my-3 divide-y divide-line">
        {actions.map((action) => (
          <li key={action.id} className="flex flex-wrap justify-between gap-x-4 py-3">
            {describe(action)}
            <span className="text-ink-soft">{formatMoment(action.at)}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

const SENTENCES: Readonly<Record<OperatorAction['action'], (detail: string) => string>> = {
  invited: () => 'Invited you',
  unlocked: () => 'Unlocked your login',
  unlock_undone: () => 'Locked your login again',
  second_factor_removed: () => 'Turned two-factor authentication off',
  plan_given: (detail) => `Gave you the ${PLANS[detail as PlanTier].name} plan`, // Only plans are stored.
  emails_sent_again: (detail) => `Sent failed emails again: ${detail}`,
}

function describe({ action, detail }: OperatorAction): string {
  return SENTENCES[action](detail ?? '')
}
