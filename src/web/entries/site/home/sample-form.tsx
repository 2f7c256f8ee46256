import { useEffect, useRef, useState } from 'react'
import {
  type BookingDraft,
  EMPTY_DRAFT,
  setDraftDate,
  setDraftType,
} from '#web/areas/appointments/bookings/booking-draft.ts'
import { browserTimeZone, localDateOf } from '#web/shared/format-date.ts'
import { SampleConfirmation } from './sample-booked.tsx'
import { SampleDetails } from './sample-details.tsx'
import { firstSampleFreeDate, listSampleSlots, SAMPLE_APPOINTMENT_TYPES } from './sample-practice.ts'
import { SampleTimes } from './sample-times.tsx'

type Step = 'times' | 'details' | 'booked'

/**
 * The three steps of the sample: times, details, booked. The heading of the next step takes the focus, so that screen readers
 * announce it.
 */
export function SampleForm() {
  const [timeZone] = useState(browserTimeZone)
  const [nowMs] = useState(Date.now)
  const today = localDateOf(new Date(nowMs).toISOString(), timeZone)
  const [draft, setDraft] = useState<BookingDraft>(() => ({
    ...EMPTY_DRAFT,
    ...SAMPLE_PERSON,
    typeId: FIRST_TYPE.id,
    date: firstSampleFreeDate(today, FIRST_TYPE.duration),
  }))
  const [step, setStep] = useState<Step>('times')
  const place = useRef<HTMLDivElement>(null)
  const hasMoved = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus moves whenever the step changes
  useEffect(() => {
    if (hasMoved.current) place.current?.querySelector<HTMLElement>('[data-step]')?.focus()
  }, [step])
  const goTo = (next: Step) => {
    hasMoved.current = true
    setStep(next)
  }

  const type = SAMPLE_APPOINTMENT_TYPES.find(({ id }) => id === draft.typeId) ?? FIRST_TYPE
  const slots = draft.date === null ? [] : listSampleSlots(draft.date, type.duration, nowMs)
  const slot = slots.find(({ starts_at }) => starts_at === draft.startsAt)
  return (
    <div ref={place}>
      {step === 'booked' && slot !== undefined ? (
        <SampleConfirmation
          choice={{ draft, type, slot, timeZone }}
          onAgain={() => {
            setDraft({ ...draft, startsAt: null })
            goTo('times')
          }}
        />
      ) : step === 'details' && slot !== undefined ? (
        <SampleDetails
          draft={draft}
          type={type}
          timeZone={timeZone}
          onChange={setDraft}
          onBack={() => goTo('times')}
          onBook={() => goTo('booked')}
        />
      ) : (
        <SampleTimes
          draft={draft}
          type={type}
          slots={slots}
          today={today}
          nowMs={nowMs}
          timeZone={timeZone}
          onType={(id) => setDraft(setDraftType(draft, id))}
          onDate={(date) => setDraft(setDraftDate(draft, date))}
          onTime={(startsAt) => {
            setDraft({ ...draft, startsAt })
            goTo('details')
          }}
        />
      )}
    </div>
  )
}

const [FIRST_TYPE] = SAMPLE_APPOINTMENT_TYPES

/** The details are filled in, so that visitors can try the sample without typing. */
const SAMPLE_PERSON = { name: 'Alex Morgan', email: 'alex@example.com' }
