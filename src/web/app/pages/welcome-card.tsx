import type { Owner } from '#contract/sessions.ts'

/** Greets the owner by name. Source: spec §2 "Dashboard". */
export function WelcomeCard({ owner }: { owner: Owner }) {
  return (
    <section className="rounded-card border border-line bg-surface p-5 shadow-card sm:p-6">
      <h1 className="font-display text-3xl font-semibold break-words">
        Welcome, {owner.first_name || owner.full_name}
      </h1>
      <p className="mt-1 text-ink-soft">Here are your calendars and who is coming next.</p>
    </section>
  )
}
