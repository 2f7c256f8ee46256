import { DayStrip, type Stretch } from './day-strip.tsx'

/** The three reasons, each with the working day it makes. Source: spec §2 "Home page". */
export function WhyChoose() {
  return (
    <section aria-labelledby="why-choose" className="border-t border-line">
      <div className="mx-auto max-w-6xl px-4 py-16 sm:px-6 lg:py-20">
        <h2 id="why-choose" className="text-3xl">
          Why Choose Meridian
        </h2>
        <div className="mt-10 grid gap-12 md:-mx-6 md:grid-cols-3 md:gap-0">
          {REASONS.map(({ title, text, days }) => (
            <div key={title} className="md:border-s md:border-line md:px-6 md:first:border-s-0">
              <div aria-hidden="true" className="flex flex-col justify-center gap-3 md:min-h-33">
                {days.map((stretches) => (
                  <DayStrip key={JSON.stringify(stretches)} stretches={stretches} />
                ))}
              </div>
              <h3 className="mt-5 text-xl">{title}</h3>
              <p className="mt-2 text-ink-soft">{text}</p>
            </div>
          ))}
        </div>
      </div>
    </section>
  )
}

type Reason = { title: string; text: string; days: readonly (readonly Stretch[])[] }

const REASONS: readonly Reason[] = [
  {
    title: 'Smart Scheduling',
    text: 'Clients only ever see times that are really free. A time that was taken a second ago cannot be booked again.',
    days: [
      [
        { from: 8.2, to: 9.2, kind: 'free' },
        { from: 9.3, to: 10.9, kind: 'busy' },
        { from: 11, to: 11.9, kind: 'next' },
        { from: 12.1, to: 13.6, kind: 'busy' },
        { from: 13.7, to: 14.7, kind: 'free' },
        { from: 14.8, to: 15.8, kind: 'free' },
      ],
    ],
  },
  {
    title: 'Time Optimization',
    text: 'Every service has its own length, and the times offered follow it, so that the day fills up without gaps or overlaps.',
    days: [
      [
        { from: 8.2, to: 9.5, kind: 'dawn' },
        { from: 9.6, to: 10.3, kind: 'dusk' },
        { from: 10.4, to: 11.9, kind: 'dawn' },
        { from: 12.1, to: 12.8, kind: 'day' },
        { from: 12.9, to: 14.2, kind: 'dawn' },
        { from: 14.3, to: 15, kind: 'dusk' },
        { from: 15.1, to: 15.8, kind: 'day' },
      ],
    ],
  },
  {
    title: 'Team Coordination',
    text: 'Give each colleague or service a calendar and a link of its own, and see what is coming up in all of them at once.',
    days: [
      [
        { from: 8.2, to: 9.8, kind: 'dawn' },
        { from: 12.6, to: 14, kind: 'dawn' },
      ],
      [
        { from: 9.4, to: 11.4, kind: 'day' },
        { from: 14.4, to: 15.8, kind: 'day' },
      ],
      [
        { from: 8.6, to: 9.4, kind: 'dusk' },
        { from: 11.6, to: 13.2, kind: 'dusk' },
      ],
    ],
  },
]
