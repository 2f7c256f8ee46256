import type { ReactNode } from 'react'
import type { Owner } from '#contract/accounts/sessions.ts'
import { paths } from '#web/shared/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'

type WayInProps = {
  owner: Owner | null | undefined
  /** The buttons for visitors, which are also shown until the session is known. */
  children: ReactNode
}

/** Shows the buttons that lead into Meridian. A logged-in owner gets a single button to the dashboard. Source: rule W4. */
export function SignUpOrDashboardButtons({ owner, children }: WayInProps) {
  if (!owner) return children
  return (
    <ButtonLink variant="primary" size="lg" href={paths.dashboard()}>
      Go to dashboard
    </ButtonLink>
  )
}
