import type { ReactNode } from 'react'
import type { Owner } from '#contract/accounts/sessions.ts'
import { paths } from '#web/shared/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'

type WayInProps = {
  owner: Owner | null | undefined
  /** For visitors, and until it is known who looks. */
  children: ReactNode
}

/** The buttons that lead into the product. An owner who is logged in has one, to the dashboard. Source: rule W4. */
export function WayIn({ owner, children }: WayInProps) {
  if (!owner) return children
  return (
    <ButtonLink variant="primary" size="lg" href={paths.dashboard()}>
      Go to Dashboard
    </ButtonLink>
  )
}
