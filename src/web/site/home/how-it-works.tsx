import { DayArc } from '#web/ui/day-arc.tsx'

/** The three steps, from sunrise over noon to evening. Source: spec §2 "Home page". */
export function HowItWorks() {
  return (
    <section aria-labelledby="how-it-works" className="border-t border-line bg-sunken">
      <div className="mx-auto max-w-6xl px-4 py-16 sm:px-6 lg:py-20">
        <h2 id="how-it-works" className="text-3xl md:text-center">
          How It Works
        </h2>
        <ol className="mt-10 grid gap-10 md:grid-cols-3">
          {STEPS.map(({ title, text, at }, index) => (
            <li key={title} className="flex gap-5 md:flex-col md:items-center md:gap-4 md:text-center">
              <DayArc at={at} className="h-16 shrink-0 md:h-24" />
              <div>
                <h3 className="text-xl">
                  <span className="sr-only">Step {index + 1}: </span>
                  {title}
                </h3>
                <p className="mt-2 max-w-xs text-ink-soft">{text}</p>
              </div>
            </li>
          ))}
        </ol>
      </div>
    </section>
  )
}

const STEPS = [
  {
    title: 'Create Your Account',
    text: 'Your name, an email address, a password. Then name your calendar and the services you offer.',
    at: 0.14,
  },
  {
    title: 'Share Your Booking Link',
    text: 'Put it on your website, in your emails, on your door. It works the moment your calendar exists.',
    at: 0.5,
  },
  {
    title: 'Get Booked',
    text: 'Clients choose a time by themselves. You both get an email with the appointment for your calendars.',
    at: 0.86,
  },
]
