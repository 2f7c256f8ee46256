import type { Owner } from '#contract/sessions.ts'

/** The plan of the owner. */
export function SubscriptionPanel({ owner }: { owner: Owner }) {
  return <p>{owner.full_name}</p>
}
