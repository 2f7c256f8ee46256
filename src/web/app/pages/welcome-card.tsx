import type { Owner } from '#contract/sessions.ts'
import { DayArc } from '#web/ui/day-arc.tsx'
import { sunAt } from './sun-at.ts'

/** Greets the owner by name, with the sun where it stands. Source: rule W5. */
export function WelcomeCard({ owner }: { owner: Owner }) {
  return (
    <section className="flex items-center justify-between gap-4 rounded-card border border-line bg-surface p-5 shadow-card sm:p-6">
      <div className="min-w-0">
        <h1 className="text-3xl break-words">Welcome, {owner.first_name || owner.full_name}</h1>
        <p className="mt-1 text-ink-soft">Here are your calendars and who is coming next.</p>
      </div>
      <DayArc at={sunAt(new Date())} className="hidden h-16 shrink-0 sm:block" />
    </section>
  )
}
