import { paths } from '#web/shared/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import type { ManagePartProps } from './manage-part-props.ts'

/** The way to ask for a cancellation. */
export function CancelPart({ view }: ManagePartProps) {
  if (view.standing !== 'upcoming') return null
  return <ButtonLink href={paths.cancel(view.appointment.id)}>Cancel this appointment</ButtonLink>
}
