import { paths } from '#web/shared/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { SampleBooking } from './sample-booking.tsx'

/** What the product is, the way in, and a look at what clients will see. */
export function Hero() {
  return (
    <section className="mx-auto grid max-w-6xl items-center gap-12 px-4 pt-10 pb-16 sm:px-6 lg:grid-cols-[1.05fr_1fr] lg:gap-16 lg:pt-12 lg:pb-24">
      <div>
        <h1 className="text-4xl sm:text-5xl lg:text-6xl">Let your clients find the time.</h1>
        <p className="mt-5 max-w-xl text-lg text-ink-soft">
          Share one link. Your clients see when you are really free, choose the time that suits them, and both
          of you get the confirmation. No phone calls, no double bookings.
        </p>
        <div className="mt-8 flex flex-wrap gap-3">
          <ButtonLink variant="primary" size="lg" href={paths.register()}>
            Get Started
          </ButtonLink>
          <ButtonLink size="lg" href={paths.login()}>
            Log in
          </ButtonLink>
        </div>
        <p className="mt-5 text-sm text-ink-soft">Free plan. No credit card required. Cancel anytime.</p>
      </div>
      <SampleBooking />
    </section>
  )
}
