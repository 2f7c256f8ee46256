import { paths } from '#web/shared/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { DaySky } from './day-sky.tsx'
import { SampleBooking } from './sample-booking.tsx'
import { type HomePageViewer, SignUpOrDashboardButtons } from './way-in.tsx'

/**
 * The top of the home page: a description of Meridian and the sign-up buttons under the arc of the day, with a sample booking
 * on its horizon.
 */
export function Hero(viewer: HomePageViewer) {
  return (
    <section className="mx-auto max-w-6xl px-4 pb-16 sm:px-6 lg:pb-24">
      <div className="relative isolate">
        <div className="mx-auto max-w-2xl pt-10 text-center lg:pt-34 lg:pb-10">
          <h1 className="text-4xl sm:text-5xl lg:text-6xl">Let your customers find the time.</h1>
          <p className="mx-auto mt-5 max-w-xl text-lg text-ink-soft">
            Share one link. Your customers see when you’re really free and choose a time that suits them, and
            you both get a confirmation. No phone calls, no double bookings.
          </p>
          <div className="mt-7 flex flex-wrap justify-center gap-3">
            <SignUpOrDashboardButtons {...viewer}>
              <ButtonLink variant="primary" size="lg" href={paths.register()}>
                Get Started
              </ButtonLink>
              <ButtonLink size="lg" href={paths.login()}>
                Log in
              </ButtonLink>
            </SignUpOrDashboardButtons>
          </div>
          {viewer.canRegister && (
            <p className="mt-4 text-sm text-ink-soft">Free plan. No credit card required. Cancel anytime.</p>
          )}
        </div>
        <DaySky className="relative mt-4 h-44 lg:absolute lg:inset-0 lg:-z-1 lg:mt-0 lg:h-auto" />
      </div>
      <SampleBooking />
    </section>
  )
}
