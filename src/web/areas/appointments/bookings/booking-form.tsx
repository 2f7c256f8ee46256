import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { BOOKING_LIMITS } from '#contract/appointments/booking-limits.ts'
import type { PublicAppointmentType } from '#contract/availability/appointment-types.ts'
import type { PublicCalendar, PublicPaymentProviders } from '#contract/calendars/calendars.ts'
import { renderTitle } from '#core/appointments/title-template.ts'
import { focusAndScrollTo } from '#web/shared/focus-and-scroll-to.ts'
import { browserTimeZone, localDateOf } from '#web/shared/format-date.ts'
import { isNarrowScreen, useIsNarrowScreen } from '#web/shared/use-is-narrow.ts'
import { Notice } from '#web/ui/notice.tsx'
import { useMatches } from '#web/ui/use-matches.ts'
import { endOfWindow } from './bookable-dates.ts'
import type { SendBooking } from './booking-draft.ts'
import {
  type BookingDraft,
  type DraftField,
  findDraftSeries,
  setDraftDate,
  setDraftType,
  setDraftZone,
} from './booking-draft.ts'
import { DateStep } from './date-step.tsx'
import { DetailsFields } from './details-fields.tsx'
import { focusNextRequiredField } from './focus-next-required-field.ts'
import { HoneypotField } from './honeypot-field.tsx'
import { locationText } from './location-text.ts'
import { findOnlinePaymentOptions } from './payment-offer.ts'
import { Questions } from './questions.tsx'
import { SelectionSummary } from './selection-summary.tsx'
import { Series } from './series.tsx'
import { defaultZoneKind } from './shown-zone.ts'
import { SubmitOrPayStep } from './submit-step.tsx'
import { ServiceSelection } from './type-choice.tsx'
import { type Booked, useBookingForm } from './use-booking-form.ts'

type BookingFormProps = {
  calendar: PublicCalendar
  types: readonly PublicAppointmentType[]
  providers: PublicPaymentProviders
  onBooked: (booked: Booked) => Promise<void>
}

/** The booking form: lets the customer choose a type, a date and a time, and enter their details. Source: rule W8. */
export function BookingForm({ calendar, types, providers, onBooked }: BookingFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const narrow = useIsNarrowScreen()
  const wide = useMatches('(min-width: 64rem)')
  // The step that the customer has reopened. The services collapse once one is chosen; on a phone, all finished steps do.
  const [reopened, setReopened] = useState<'type' | 'time' | null>(null)
  const hasTypes = types.length > 0
  const zones = { calendar: calendar.timezone, visitor: browserTimeZone() }
  const { draft, errors, goneAt, failure, pending, isChosenEarly, hiddenField, change, loseTime, submit } =
    useBookingForm({
      slug: calendar.slug,
      hasTypes,
      visitorZone: zones.visitor,
      form,
      onBooked,
    })
  const type = findType(types, draft.typeId)
  const zone = draft.zone ?? defaultZoneKind(type)
  const request = {
    slug: calendar.slug,
    typeId: type?.id ?? null,
    shownZone: zones[zone],
    hourCycle: calendar.hour_cycle,
    until: endOfWindow(type, calendar),
  }
  const title = calendar.appointment_title_required ? (draft.title ?? titleFor(calendar, type)) : null
  const offer = findOnlinePaymentOptions(calendar, type, providers, draft)
  const policyText = (type ?? calendar).policy_text
  const book = (send?: SendBooking) => void submit({ typeId: request.typeId, title, policyText, zone, send })
  const hasTime = draft.startsAt !== null
  useEffect(() => {
    if (hasTime) preloadConfirmation().catch(() => {})
  }, [hasTime])

  // Scroll to the next step for a customer who chose a type before hydration, too.
  useEffect(() => {
    if (isChosenEarly) goToStep('date-step')
  }, [isChosenEarly])

  /** Applies the customer's choice, and scrolls to the next step if the current step collapses. */
  const choose = (next: BookingDraft, touched: readonly DraftField[], leads = narrow) => {
    flushSync(() => {
      setReopened(null)
      change(next, touched)
    })
    if (leads) goToStep(stepAfter(next))
  }
  const reopen = (step: 'type' | 'time') => {
    flushSync(() => setReopened(step))
    const field = step === 'type' ? 'type' : 'date'
    form.current?.querySelector<HTMLElement>(`[data-focus="${field}"]`)?.focus()
  }
  const chooseType = (typeId: string, byArrow: boolean) => {
    const next = typeId === type?.id ? draft : setDraftType(draft, typeId)
    if (!byArrow) return choose(next, ['type', 'time'], true)
    setReopened('type')
    change(next, ['type', 'time'])
  }
  const chooseDate = (date: string, isFull: boolean) =>
    choose(setDraftDate(draft, date), ['date', 'time'], narrow && !isFull)
  const onKeyDown = (event: KeyboardEvent<HTMLFormElement>) => {
    const { target, key } = event
    if (key !== 'Enter' || !(target instanceof HTMLInputElement) || event.nativeEvent.isComposing) return
    if (target.type === 'search') return event.preventDefault()
    const isType = target.name === 'appointment-type' && type !== null
    if (isType) choose(draft, [], true)
    const hasLed =
      target.type === 'radio' ? isType : focusNextRequiredField(target, event.currentTarget, offer !== null)
    if (hasLed) event.preventDefault()
  }

  const summary = (
    <SelectionSummary
      type={type}
      startsAt={draft.startsAt}
      series={findDraftSeries(draft)}
      timeZone={request.shownZone}
      hourCycle={request.hourCycle}
      location={locationText(type ?? calendar)}
      isPaidByHand={(type?.price ?? 0) > 0 && offer === null}
      isAlwaysShown={wide}
    />
  )
  return (
    <>
      {/* Beside the form, the summary is the same protected part as in the form. */}
      {wide && (
        <div data-kept="" className="booking-summary">
          {summary}
        </div>
      )}
      <form
        ref={form}
        noValidate
        // Because of `method="dialog"`, submitting before hydration does nothing. Otherwise it would reload the page and
        // lose the input.
        method="dialog"
        onKeyDown={onKeyDown}
        onSubmit={(event) => {
          event.preventDefault()
          // If a payment is due, the Enter key does not send the booking. The customer has to press a payment button.
          // Source: rule B8.
          if (offer === null) book()
        }}
        className="grid grid-cols-1 gap-6 rounded-card border border-line bg-surface p-4 shadow-card sm:gap-8 sm:p-8"
      >
        {hasTypes && (
          <ServiceSelection
            types={types}
            chosen={type}
            error={errors.type}
            closes={reopened !== 'type' && errors.type === undefined}
            onReopen={() => reopen('type')}
            onChoose={chooseType}
          />
        )}
        <DateStep
          draft={draft}
          request={request}
          needsType={hasTypes && type === null}
          zones={zones}
          zone={zone}
          errors={errors}
          goneAt={goneAt}
          closes={narrow && reopened !== 'time' && errors.date === undefined && errors.time === undefined}
          onReopen={() => reopen('time')}
          onZone={(chosen) => change(setDraftZone(draft, chosen, zones[chosen]), [])}
          onDate={chooseDate}
          onFirst={(startsAt) => {
            const date = localDateOf(startsAt, request.shownZone)
            choose({ ...draft, date, startsAt }, ['date', 'time'], true)
          }}
          onTime={(startsAt) => choose({ ...draft, startsAt }, ['time'])}
          onGone={loseTime}
        />
        <Series
          type={type}
          request={request}
          draft={draft}
          onChange={(series) => change({ ...draft, series }, [])}
        />
        <section aria-labelledby="details">
          <h2 id="details" tabIndex={-1} className="mb-3 scroll-mt-20 rounded-sm text-xl">
            Your details
          </h2>
          <DetailsFields
            draft={{ ...draft, title }}
            errors={errors}
            onChange={(field, text) => change({ ...draft, [field]: text }, [field])}
          />
          <Questions
            calendar={calendar}
            typeId={request.typeId}
            draft={draft}
            errors={errors}
            onChange={(answers, field) => change({ ...draft, answers }, [field])}
          />
        </section>
        <div data-kept="" className="grid gap-4">
          <HoneypotField ref={hiddenField} />
          {!wide && summary}
          <p className="text-ink-soft">{policyText}</p>
          {failure !== null && (
            <Notice tone="danger" role="alert" title={failure}>
              Everything you entered is still here.
            </Notice>
          )}
          <SubmitOrPayStep offer={offer} slug={calendar.slug} pending={pending} book={book} />
        </div>
      </form>
    </>
  )
}

/** Downloads the confirmation's code. The form calls this when a time is chosen, so that it is cached after the booking. */
export function preloadConfirmation() {
  return import('./confirmed-booking.tsx').then((part) => part.ConfirmedBooking)
}

/** Focuses the heading of a step. On a phone, and for the details, the step moves to the top of the screen. */
function goToStep(id: string): void {
  const block = isNarrowScreen() || id === 'details' ? 'start' : 'nearest'
  focusAndScrollTo(document.getElementById(id), block)
}

/** Returns the id of the next step's heading. */
function stepAfter({ date, startsAt }: BookingDraft): string {
  if (startsAt !== null) return 'details'
  return date === null ? 'date-step' : 'times'
}

/**
 * Finds the chosen type. If there is only one type, it is chosen from the start (rule B28). Returns null if the owner
 * has removed the chosen type in the meantime.
 */
function findType(
  types: readonly PublicAppointmentType[],
  typeId: string | null,
): PublicAppointmentType | null {
  const [only, ...others] = types
  if (typeId === null && others.length === 0) return only ?? null
  return types.find(({ id }) => id === typeId) ?? null
}

/** Returns the default title, which is shown until the customer edits it. Source: rule B9. */
function titleFor(calendar: PublicCalendar, type: PublicAppointmentType | null): string {
  const rendered = renderTitle(calendar.default_appointment_title, calendar)
  return (type?.name ?? rendered).slice(0, BOOKING_LIMITS.appointmentTitle)
}
