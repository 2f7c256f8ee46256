import type { ReactNode } from 'react'
import { DEFAULT_HOUR_CYCLE } from '#core/shared/hour-cycle.ts'
import { formatClock } from '#web/shared/format-clock.ts'
import { formatDayOfWeek } from '#web/shared/format-date.ts'
import { formatEuro } from '#web/shared/format-money.ts'
import { SunPathPicture } from '#web/ui/day-arc.tsx'

/** Shows how Meridian helps on days that do not go to plan, with a picture for each promise. */
export function Promises() {
  return (
    <section aria-labelledby="promises" className="border-t border-line">
      <div className="mx-auto max-w-6xl px-4 py-16 sm:px-6 lg:py-24">
        <h2 id="promises" className="max-w-2xl text-3xl sm:text-4xl">
          Made for days that don’t go to plan
        </h2>
        <div className="mt-10 grid gap-5 md:grid-cols-2">
          <Kept
            title="Two customers, one time"
            text="The first one gets it. The database itself prevents a double booking, and the second customer keeps what they typed and sees the times that are left."
          >
            <Line
              mark="bg-success"
              text={`${formatDayOfWeek(2)}, ${formatClock('10:30', DEFAULT_HOUR_CYCLE)}`}
              state="Confirmed"
            />
            <Line
              mark="bg-warning"
              text={`${formatClock('10:30', DEFAULT_HOUR_CYCLE)} is no longer free`}
              state={`${formatClock('11:00', DEFAULT_HOUR_CYCLE)} is`}
            />
          </Kept>
          <Kept
            title="Different clocks"
            text="Customers choose in their own time zone or yours, and their emails use their own. Clock changes are handled correctly."
          >
            <Clock at={4 / 12} time={formatClock('10:00', DEFAULT_HOUR_CYCLE)} place="You, Reykjavík" />
            <Clock
              at={9.75 / 12}
              time={formatClock('15:45', DEFAULT_HOUR_CYCLE)}
              place="Customer, Kathmandu"
            />
          </Kept>
          <Kept
            title="No-shows and late payers"
            text="Connect a payment provider, and customers pay at booking, straight to your own account, or later if you allow it. We hold the time while they pay, and release it if they don’t."
          >
            <Line mark="bg-noon" text="Held while they pay" state="5 minutes" />
            <Line mark="bg-success" text={`First visit, ${formatEuro(75)}`} state="Paid" />
          </Kept>
          <Kept
            title="“I never got that email”"
            text="For each appointment, you see what was sent, to whom and when, and what couldn’t be delivered. Reminders go out in your own words."
          >
            <Line mark="bg-success" text="Confirmation" state="Sent" />
            <Line mark="bg-line-strong" text="Reminder, a day before" state="Planned" />
          </Kept>
        </div>
        <p className="mt-8 max-w-2xl text-ink-soft">
          And if you leave, you take everything with you: all your data in one archive, and an account that is
          really deleted. Meridian is free software, so you can run it on your own server.
        </p>
      </div>
    </section>
  )
}

/** One promise, with a picture of what the user sees in that case. */
function Kept({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <div className="flex flex-col rounded-card border border-line bg-surface p-5 shadow-card sm:p-7">
      <h3 className="text-xl">{title}</h3>
      <p className="mt-2 mb-6 text-ink-soft">{text}</p>
      <div aria-hidden="true" className="mt-auto grid gap-2 rounded-control bg-sunken p-3 text-sm">
        {children}
      </div>
    </div>
  )
}

/** One line of such a picture: its subject and its status. */
function Line({ mark, text, state }: { mark: string; text: string; state: string }) {
  return (
    <p className="flex items-center gap-3 rounded-control bg-surface px-3.5 py-2.5">
      <span className={`size-2.5 shrink-0 rounded-full ${mark}`} />
      <span className="flex min-w-0 flex-1 basis-24 flex-wrap justify-between gap-x-3 wrap-anywhere">
        <span>{text}</span>
        <span className="font-semibold">{state}</span>
      </span>
    </p>
  )
}

/** One of two clocks that show the same moment in two places. */
function Clock({ at, time, place }: { at: number; time: string; place: string }) {
  return (
    <p className="flex flex-wrap items-center gap-x-3 rounded-control bg-surface px-3.5 py-1.5">
      <SunPathPicture at={at} className="h-7 shrink-0" />
      <span className="flex min-w-0 flex-1 basis-24 flex-wrap justify-between gap-x-3 wrap-anywhere">
        <span>{place}</span>
        <span className="font-semibold tabular-nums">{time}</span>
      </span>
    </p>
  )
}
