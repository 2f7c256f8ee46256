import { paths } from '#web/shared/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { type HomePageViewer, SignUpOrDashboardButtons } from './way-in.tsx'

/** The end of the home page: the sky after sunset, with the next sunrise below it. Source: rule W4. */
export function FinalCallToAction(viewer: HomePageViewer) {
  return (
    <section aria-labelledby="closing" className="relative overflow-hidden bg-night text-on-night">
      <span
        aria-hidden="true"
        className="absolute start-1/2 top-0 h-16 w-[1.5px] -translate-x-1/2 bg-on-night-soft rtl:translate-x-1/2"
      />
      <Sunrise />
      <div className="relative mx-auto flex max-w-6xl flex-col items-center px-4 pt-24 pb-56 text-center sm:px-6">
        <h2 id="closing" className="text-3xl sm:text-4xl">
          Tomorrow could be booked by morning.
        </h2>
        <p className="mt-4 max-w-xl text-lg text-on-night-soft">
          Set up in a few minutes, and your link works right away.
        </p>
        <div className="mt-8 flex flex-wrap justify-center gap-3">
          <SignUpOrDashboardButtons {...viewer}>
            <ButtonLink variant="primary" size="lg" href={paths.register()}>
              Get Started for Free
            </ButtonLink>
            <ButtonLink
              size="lg"
              href={paths.dashboard()}
              className="border-on-night-soft bg-transparent text-on-night hover:border-on-night hover:bg-transparent"
            >
              View Demo
            </ButtonLink>
          </SignUpOrDashboardButtons>
        </div>
      </div>
    </section>
  )
}

/** Draws the next morning's sun below the meridian. */
function Sunrise() {
  return (
    <svg
      aria-hidden="true"
      viewBox="-150 -150 300 150"
      fill="none"
      className="absolute start-1/2 bottom-0 w-75 -translate-x-1/2 rtl:translate-x-1/2"
    >
      <circle r="52" fill="var(--noon)" />
      {[84, 116, 148].map((radius) => (
        <circle
          key={radius}
          r={radius}
          stroke="var(--noon)"
          strokeOpacity={40 / radius}
          strokeWidth="1.5"
          strokeDasharray="0.1 7"
          strokeLinecap="round"
        />
      ))}
    </svg>
  )
}
