import { type ComponentType, type RefObject, useEffect, useRef, useState } from 'react'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { SAMPLE_PRACTICE } from './sample-practice.ts'

/**
 * Lets visitors try out a booking card, which uses components of the real booking page with sample data and sends no data. The
 * code is downloaded when the card comes into view. Until then, its space is reserved, so that nothing moves.
 */
export function SampleBooking() {
  const place = useRef<HTMLDivElement>(null)
  const { Form, failed } = useSampleForm(place)
  return (
    <section
      aria-labelledby="sample"
      className="relative rounded-card border border-line bg-surface p-4 shadow-pop sm:p-7 lg:mx-8"
    >
      <header className="flex flex-wrap items-center gap-3">
        <span
          aria-hidden="true"
          className="grid size-12 shrink-0 place-items-center rounded-full bg-[#0f766e] font-display text-xl text-[#fff]"
        >
          {SAMPLE_PRACTICE.initials}
        </span>
        <div className="me-auto">
          <h2 id="sample" className="text-xl">
            {SAMPLE_PRACTICE.name}
          </h2>
          <p className="text-sm text-ink-soft">{SAMPLE_PRACTICE.category}</p>
        </div>
        <p className="w-full text-sm text-ink-soft sm:w-auto">
          A sample to try. Nothing you enter leaves this page.
        </p>
      </header>
      <div ref={place} className="mt-5 border-t border-line pt-5 lg:min-h-[24.75rem]">
        {failed && <p role="status">We couldn’t load the sample. Please reload the page to try it.</p>}
        {Form === null ? !failed && <Placeholder /> : <Form />}
      </div>
    </section>
  )
}

/**
 * The margin by which the card must be in view before it is downloaded: more than the edge that a phone shows without scrolling.
 */
const IN_SIGHT = '0px 0px -120px 0px'

function useSampleForm(place: RefObject<HTMLElement | null>): {
  Form: ComponentType | null
  failed: boolean
} {
  const [state, setState] = useState<{ Form: ComponentType | null; failed: boolean }>({
    Form: null,
    failed: false,
  })
  useEffect(() => {
    if (place.current === null) return
    const watch = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return
        watch.disconnect()
        import('./sample-form.tsx').then(
          ({ SampleForm }) => setState({ Form: SampleForm, failed: false }),
          () => setState({ Form: null, failed: true }),
        )
      },
      { rootMargin: IN_SIGHT },
    )
    watch.observe(place.current)
    return () => watch.disconnect()
  }, [place])
  return state
}

/** The placeholder of the services, the month and the times. */
function Placeholder() {
  return (
    <div
      aria-hidden="true"
      className="grid min-h-[64rem] content-start gap-x-8 gap-y-6 lg:min-h-0 lg:grid-cols-[16.5rem_1fr_1fr]"
    >
      <div className="grid content-start gap-3">
        <Skeleton className="h-7 w-full max-w-44" />
        {[1, 2, 3].map((service) => (
          <Skeleton key={service} className="h-18" />
        ))}
      </div>
      <Skeleton className="h-88" />
      <Skeleton className="h-64" />
    </div>
  )
}
