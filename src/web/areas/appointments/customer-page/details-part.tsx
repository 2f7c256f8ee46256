import { lazy, Suspense, useRef, useState } from 'react'
import { formatZone } from '#web/shared/format-date.ts'
import { customerTimeZone } from '#web/shared/page-clock.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { LoadingState } from '#web/ui/loading-state.tsx'
import type { ManageSectionProps } from './manage-part-props.ts'

/** Loaded lazily, because the form contains the list of all time zones and few customers open it. */
const DetailsForm = lazy(async () => {
  const { CustomerDetailsForm } = await import('./details-form.tsx')
  return { default: CustomerDetailsForm }
})

/** Shows the details that the customer entered for this booking, and lets them edit these details. Source: rule R7. */
export function CustomerDetailsSection(part: ManageSectionProps) {
  const { view } = part
  const { appointment, customer } = view
  const [isOpen, setOpen] = useState(false)
  const change = useRef<HTMLButtonElement>(null)
  const zone = customerTimeZone(appointment)
  const close = () => {
    setOpen(false)
    // Wait for the next render, after which the button exists again.
    requestAnimationFrame(() => change.current?.focus())
  }
  return (
    <Card
      title="Your details"
      actions={
        view.can_change &&
        !isOpen && (
          <Button ref={change} size="sm" onClick={() => setOpen(true)}>
            Change
          </Button>
        )
      }
    >
      {isOpen && view.can_change ? (
        <Suspense fallback={<LoadingState text="Loading the form..." />}>
          <DetailsForm {...part} onClose={close} />
        </Suspense>
      ) : (
        <dl className="grid gap-x-6 sm:grid-cols-[max-content_1fr] sm:gap-y-2">
          <Row term="Name">{customer.name}</Row>
          {customer.email_hint !== null && <Row term="Email">{customer.email_hint}</Row>}
          <Row term="Phone">{customer.phone ?? 'Not given'}</Row>
          <Row term="Your time zone">{formatZone(zone, appointment.starts_at)}</Row>
        </dl>
      )}
    </Card>
  )
}

function Row({ term, children }: { term: string; children: string }) {
  return (
    <>
      <dt className="text-sm text-ink-soft sm:py-0.5">{term}</dt>
      <dd className="min-w-0 pb-2 font-medium wrap-anywhere sm:pb-0">{children}</dd>
    </>
  )
}
