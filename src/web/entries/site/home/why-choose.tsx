import { type DayPeriod, DayRings } from './day-rings.tsx'

/** Shows the three reasons, each with a picture of a working day. Source: rule W4. */
export function WhyChoose() {
  return (
    <section aria-labelledby="why-choose" className="border-t border-line">
      <div className="mx-auto max-w-6xl px-4 py-16 sm:px-6 lg:py-24">
        <h2 id="why-choose" className="text-3xl sm:text-4xl">
          Why Choose Meridian
        </h2>
        <div className="mt-10 grid gap-12 md:-mx-6 md:grid-cols-3 md:gap-0">
          {REASONS.map(({ title, text, rings }) => (
            <div key={title} className="md:border-s md:border-line md:px-6 md:first:border-s-0">
              <DayRings rings={rings} />
              <h3 className="mt-6 text-xl">{title}</h3>
              <p className="mt-2 text-ink-soft">{text}</p>
            </div>
          ))}
        </div>
      </div>
    </section>
  )
}

type Reason = { title: string; text: string; rings: readonly (readonly DayPeriod[])[] }

const REASONS: readonly Reason[] = [
  {
    title: 'Smart Scheduling',
    text: 'Customers only see times that are free. A time taken a second ago can’t be booked again.',
    rings: [
      [
        [7.5, 9.1, 'busy'],
        [9.2, 10.3, 'busy'],
        [11.2, 12.8, 'next'],
        [13.6, 15.4, 'busy'],
        [15.5, 16.4, 'busy'],
      ],
    ],
  },
  {
    title: 'Time Optimization',
    text: 'Every appointment type has its own length, and the offered times adapt to it. Buffers between appointments stay free for you.',
    rings: [
      [
        [7.5, 9, 'dawn'],
        [9.1, 9.8, 'dusk'],
        [9.9, 11.4, 'dawn'],
        [11.5, 12.2, 'day'],
        [12.3, 13.8, 'dawn'],
        [13.9, 14.6, 'dusk'],
        [14.7, 15.4, 'day'],
        [15.5, 16.5, 'day'],
      ],
    ],
  },
  {
    title: 'Team Coordination',
    text: 'On a larger plan, each colleague has their own calendar and link, and you see what’s coming up across all of them. A shared room has one appointment at a time.',
    rings: [
      [
        [7.5, 9.2, 'dawn'],
        [13, 14.8, 'dawn'],
      ],
      [
        [9.2, 11.4, 'day'],
        [14.8, 16.5, 'day'],
      ],
      [
        [7.5, 9.2, 'dusk'],
        [11.4, 13, 'dusk'],
      ],
    ],
  },
]
