import { useRef } from 'react'
import type { PublicAppointmentType } from '#contract/appointment-types.ts'
import { BOOKING_LIMITS } from '#contract/booking-limits.ts'
import type { PublicCalendar, PublicPaymentProviders } from '#contract/calendars.ts'
import { renderTitle } from '#core/booking/title-template.ts'
import { browserTimeZone } from '#web/shared/format-date.ts'
import { Notice } from '#web/ui/notice.tsx'
import { withDate, withType, withZone } from './booking-draft.ts'
import { bringIntoView } from './bring-into-view.ts'
import { ChosenSummary } from './chosen-summary.tsx'
import { DateStep } from './date-step.tsx'
import { DetailsFields } from './details-fields.tsx'
import { HiddenField } from './hidden-field.tsx'
import { findOffer } from './payment-offer.ts'
import type { SendBooking } from './send-booking.ts'
import { defaultZone } from './shown-zone.ts'
import { SubmitStep } from './submit-step.tsx'
import { TypeChoice } from './type-choice.tsx'
import { type Booked, useBookingForm } from './use-booking-form.ts'

type BookingFormProps = {
  calendar: PublicCalendar
  types: readonly PublicAppointmentType[]
  providers: PublicPaymentProviders
  onBooked: (booked: Booked) => void
}

/** The booking form card: type, date and time, details. Source: rule W8. */
export function BookingForm({ calendar, types, providers, onBooked }: BookingFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const details = useRef<HTMLElement>(null)
  const hasTypes = types.length > 0
  const zones = { calendar: calendar.timezone, visitor: browserTimeZone() }
  const { draft, errors, goneAt, failure, pending, hiddenField, change, loseTime, submit } = useBookingForm({
    slug: calendar.slug,
    hasTypes,
    visitorZone: zones.visitor,
    form,
    onBooked,
  })
  // A type that the owner has removed meanwhile counts as not chosen.
  const type = types.find(({ id }) => id === draft.typeId) ?? null
  const zone = draft.zone ?? defaultZone(type)
  const question = {
    slug: calendar.slug,
    typeId: type?.id ?? null,
    shownZone: zones[zone],
  }
  const title = calendar.appointment_title_required ? (draft.title ?? titleFor(calendar, type)) : null
  const offer = findOffer(calendar, type, providers)
  const book = (send?: SendBooking) => void submit({ typeId: question.typeId, title, send })

  return (
    <form
      ref={form}
      noValidate
      // A press before the page's script runs does nothing, instead of reloading the page and losing what was typed.
      method="dialog"
      onSubmit={(event) => {
        event.preventDefault()
        // The Enter key does not send a booking that costs money; the button that says how it is paid does.
        // Source: rule B8.
        if (offer === null) book()
      }}
      className="grid gap-8 rounded-card border border-line bg-surface p-4 shadow-card sm:p-8"
    >
      {hasTypes && (
        <TypeChoice
          types={types}
          chosen={type?.id ?? null}
          error={errors.type}
          onChoose={(typeId) => change(withType(draft, typeId), ['type', 'time'])}
        />
      )}
      <DateStep
        draft={draft}
        question={question}
        needsType={hasTypes && type === null}
        zones={zones}
        zone={zone}
        errors={errors}
        goneAt={goneAt}
        onZone={(chosen) => change(withZone(draft, chosen, zones[chosen]), [])}
        onDate={(date) => change(withDate(draft, date), ['date', 'time'])}
        onTime={(startsAt) => {
          change({ ...draft, startsAt }, ['time'])
          bringIntoView(details.current)
        }}
        onGone={loseTime}
      />
      <section ref={details} aria-labelledby="details" className="scroll-mt-4">
        <h2 id="details" className="mb-3 text-xl">
          Your Details
        </h2>
        <DetailsFields
          draft={draft}
          title={title}
          errors={errors}
          onChange={(field, text) => change({ ...draft, [field]: text }, [field])}
        />
      </section>
      <div className="grid gap-4">
        <HiddenField ref={hiddenField} />
        <ChosenSummary
          type={type}
          startsAt={draft.startsAt}
          timeZone={question.shownZone}
          isPaidByHand={(type?.price ?? 0) > 0 && offer === null}
        />
        {failure !== null && (
          <Notice tone="danger" title={failure}>
            Everything you entered is still here.
          </Notice>
        )}
        <SubmitStep offer={offer} slug={calendar.slug} pending={pending} book={book} />
      </div>
    </form>
  )
}

/** What the title says until the customer changes it. Source: rule B9. */
function titleFor(calendar: PublicCalendar, type: PublicAppointmentType | null): string {
  const rendered = renderTitle(calendar.default_appointment_title, {
    calendarName: calendar.calendar_name,
    firstName: calendar.professional_first_name,
    lastName: calendar.professional_last_name,
  })
  return (type?.name ?? rendered).slice(0, BOOKING_LIMITS.appointmentTitle)
}
