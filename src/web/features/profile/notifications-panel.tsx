import type { Owner } from '#contract/sessions.ts'

/** Which messages the owner gets. */
export function NotificationsPanel({ owner }: { owner: Owner }) {
  return <p>{owner.full_name}</p>
}
