import type { ReactNode } from 'react'
import type { Owner } from '#contract/accounts/sessions.ts'
import { paths } from '#web/shared/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'

export type HomePageViewer = {
  owner: Owner | null | undefined
  /** False where strangers cannot create an account. */
  canRegister: boolean
}

type WayInProps = HomePageViewer & {
  /** The buttons for visitors who can register, which are also shown until the session is known. */
  children: ReactNode
}

/**
 * Shows the buttons that lead into Meridian. A logged-in owner gets a single button to the dashboard, and a visitor who
 * cannot register one to the login. Source: rules W4 and U38.
 */
export function SignUpOrDashboardButtons({ owner, canRegister, children }: WayInProps) {
  if (!owner && canRegister) return children
  return (
    <ButtonLink variant="primary" size="lg" href={owner ? paths.dashboard() : paths.login()}>
      {owner ? 'Go to dashboard' : 'Log in'}
    </ButtonLink>
  )
}
