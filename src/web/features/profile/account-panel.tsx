import type { Owner } from '#contract/sessions.ts'

/** All data of the account, and its end. */
export function AccountPanel({ owner }: { owner: Owner }) {
  return <p>{owner.full_name}</p>
}
