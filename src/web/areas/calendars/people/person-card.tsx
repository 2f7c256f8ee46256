import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { wrapInBidiIsolates } from '#core/shared/text.ts'
import { futureAppointmentsQuery } from '#web/kit/calendar-cache.ts'
import { FormDialog } from '#web/kit/form-dialog.tsx'
import { FormProblem } from '#web/kit/form-problem.tsx'
import { peopleQuery } from '#web/kit/people-query.ts'
import { PersonOfCalendarFields } from '#web/kit/whose-time-fields.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { OverlappingAppointmentsList } from './overlap-list.tsx'
import { overlapsWithPersonQuery } from './people-queries.ts'
import { type ChosenPerson, toPossessive, useChangePerson } from './use-change-person.ts'

/** Shows whose time the calendar uses, and lets the owner change the person. Source: rules T38 and T41. */
export function CalendarPersonCard({ calendar }: { calendar: Calendar }) {
  const [isChanging, setChanging] = useState(false)
  const { data } = useQuery(peopleQuery)
  const { person } = calendar
  const others = data?.people
    .find(({ id }) => id === person.id)
    ?.calendars.filter(({ id }) => id !== calendar.id)
  return (
    <Card
      title="Whose time this is"
      description="A person can only have one booking at a time across all their calendars."
      actions={<Button onClick={() => setChanging(true)}>Change person</Button>}
    >
      <p className="font-semibold wrap-anywhere">
        {wrapInBidiIsolates(person.name)}
        {person.is_owner && <span className="font-normal text-ink-soft"> (you)</span>}
      </p>
      {others !== undefined && (
        <p className="mt-1 text-sm wrap-anywhere text-ink-soft">
          {others.length === 0
            ? 'No other calendar uses this person’s time.'
            : `Also booked on: ${others.map(({ name }) => wrapInBidiIsolates(name)).join(', ')}`}
        </p>
      )}
      <ChangePersonDialog calendar={calendar} open={isChanging} onOpenChange={setChanging} />
    </Card>
  )
}

type ChangePersonDialogProps = {
  calendar: Calendar
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** Lets the owner assign a calendar to another person, unless upcoming appointments would overlap. Source: rule T41. */
function ChangePersonDialog({ calendar, open, onOpenChange }: ChangePersonDialogProps) {
  const state = useChangePerson(calendar, () => onOpenChange(false))
  const { whose, name, nameRef, nameError, refusal, chosen, isSame, isPending, canChange } = state
  const close = (next: boolean) => {
    if (isPending) return
    onOpenChange(next)
    if (!next) state.startAnew()
  }
  return (
    <FormDialog
      open={open}
      onOpenChange={close}
      title="Whose time is this?"
      description={wrapInBidiIsolates(calendar.name)}
      disabled={!canChange}
      pending={isPending}
      pendingLabel="Changing..."
      submitLabel="Change person"
      onSubmit={(event) => {
        event.preventDefault()
        void state.submit()
      }}
    >
      <PersonOfCalendarFields
        isLegendHidden
        whose={whose}
        onWhose={state.setWhose}
        name={name}
        onName={state.setName}
        nameRef={nameRef}
        nameError={nameError}
      />
      <FormProblem message={refusal ?? undefined} />
      <div role="status" className="flex flex-col gap-3 empty:hidden">
        {isSame && <p>The calendar already uses this person’s time.</p>}
        {chosen !== null && <Consequences calendar={calendar} chosen={chosen} />}
      </div>
    </FormDialog>
  )
}

/** Lists the overlaps that prevent the change. If there are none, explains what happens to upcoming appointments. */
function Consequences({ calendar, chosen }: { calendar: Calendar; chosen: ChosenPerson }) {
  const { data, error, refetch } = useQuery(overlapsWithPersonQuery(calendar.id, chosen.who))
  if (data === undefined && error !== null)
    return <ErrorState title="Failed to check for overlaps" hint={error.message} onRetry={() => refetch()} />
  if (data === undefined)
    return (
      <p className="flex items-center gap-2 text-ink-soft">
        <Spinner /> Checking for overlaps...
      </p>
    )
  if (data.total === 0) return <Confirmation calendar={calendar} chosen={chosen} />
  return (
    <>
      <Notice
        tone="danger"
        title={`${data.total === 1 ? '1 appointment overlaps' : `${data.total} appointments overlap`} with ${toPossessive(chosen)} appointments`}
      >
        Please move or cancel one of each pair. Then you can change the person.
      </Notice>
      <OverlappingAppointmentsList label="Overlapping appointments" overlaps={data} inNewTab />
    </>
  )
}

function Confirmation({ calendar, chosen }: { calendar: Calendar; chosen: ChosenPerson }) {
  const { data: outlook } = useQuery(futureAppointmentsQuery(calendar.id))
  return (
    <Notice title={`This calendar will use ${toPossessive(chosen)} time`}>
      {describeGiven(outlook?.future_appointments)} Past appointments stay with{' '}
      {calendar.person.is_owner ? 'you' : wrapInBidiIsolates(calendar.person.name)}. Customers won’t notice:
      they see the name under “Professional details”.
    </Notice>
  )
}

/** Explains what happens to upcoming appointments. `undefined` means that their number is unknown. */
function describeGiven(appointments: number | undefined): string {
  if (appointments === undefined) return 'Upcoming appointments move with it and keep their times.'
  if (appointments === 0) return 'There are no upcoming appointments.'
  return appointments === 1
    ? '1 upcoming appointment moves with it and keeps its time.'
    : `${appointments} upcoming appointments move with it and keep their times.`
}
