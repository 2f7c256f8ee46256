import type { Owner } from '#contract/sessions.ts'

/** Who the owner is. */
export function PersonalInfoPanel({ owner }: { owner: Owner }) {
  return <p>{owner.full_name}</p>
}
