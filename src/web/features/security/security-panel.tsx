import type { Owner } from '#contract/sessions.ts'

/** Password, sessions and the second factor. */
export function SecurityPanel({ owner }: { owner: Owner }) {
  return <p>{owner.full_name}</p>
}
