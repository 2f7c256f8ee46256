import type { Owner } from '#contract/accounts/sessions.ts'
import { CancellationRequests } from '#web/areas/appointments/list/cancellation-requests.tsx'
import { NextToday } from '#web/areas/appointments/list/next-today.tsx'
import { paths } from '#web/shared/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { SunPathPicture } from '#web/ui/day-arc.tsx'
import { sunPositionAt } from './sun-at.ts'

/** Greets the owner by name, with the sun at its current position, today's next appointments and what awaits a decision. Source: rules W5, V10 and Y9. */
export function WelcomeCard({ owner }: { owner: Owner }) {
  return (
    <section className="rounded-card border border-line bg-surface p-4 shadow-card sm:p-6">
      <div className="flex items-center justify-between gap-4">
        <div className="min-w-0">
          <h1 className="text-3xl break-words">Welcome, {owner.first_name || owner.full_name}</h1>
          <p className="mt-1 text-ink-soft">Here are your calendars and who is coming next.</p>
          <div className="mt-3 flex min-h-11 flex-wrap items-center gap-x-5 gap-y-2">
            <ButtonLink href={paths.today()}>Your day</ButtonLink>
            <CancellationRequests />
          </div>
        </div>
        <SunPathPicture at={sunPositionAt(new Date())} className="hidden h-16 shrink-0 sm:block" />
      </div>
      <NextToday />
    </section>
  )
}
