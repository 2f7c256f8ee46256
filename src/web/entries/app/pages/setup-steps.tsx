import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useCallback, useEffect, useState } from 'react'
import type { Owner } from '#contract/accounts/sessions.ts'
import type { Setup } from '#contract/accounts/setup.ts'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { findNextStep } from '#core/accounts/setup-steps.ts'
import { ServicesStep } from '#web/areas/accounts/setup/services-step.tsx'
import { SETUP_PAGES, type SetupPageName } from '#web/areas/accounts/setup/setup-labels.ts'
import { SetupProgress } from '#web/areas/accounts/setup/setup-progress.tsx'
import { StepHeading } from '#web/areas/accounts/setup/setup-step.tsx'
import { SimpleStep } from '#web/areas/accounts/setup/simple-step.tsx'
import { YouStep } from '#web/areas/accounts/setup/you-step.tsx'
import { WeeklyScheduleCard } from '#web/areas/availability/opening-hours/weekly-schedule-card.tsx'
import { calendarQuery } from '#web/areas/calendars/calendars/calendar-queries.ts'
import { externalCalendarsQuery } from '#web/areas/external-calendars/integration-queries.ts'
import { availabilityQuery } from '#web/kit/availability-query.ts'
import { CopyButton } from '#web/kit/copy-button.tsx'
import { HourCycleContext } from '#web/kit/hour-cycle.ts'
import { LoadStatus } from '#web/kit/load-status.tsx'
import { TestAppointmentPart } from '#web/kit/test-appointment.tsx'
import { paths } from '#web/shared/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { EmbedButton } from './embed-button.tsx'
import { IntegrationsTab } from './integrations-tab.tsx'

const setupApi = getRouteApi('/setup')

/** The pages of the set-up, and the list that leads from one to another. */
export function SetupSteps({ owner, setup }: { owner: Owner; setup: Setup }) {
  const { step } = setupApi.useSearch()
  const navigate = setupApi.useNavigate()
  const next = findNextStep({ steps: setup.steps, calendarId: setup.calendar_id }) ?? 'link'
  // Every page but the first needs the calendar.
  const hasNoCalendar = setup.calendar_id === null
  const [isFirstStepEdited, setFirstStepEdited] = useState(false)
  const onEdit = useCallback(() => setFirstStepEdited(true), [])
  const current = hasNoCalendar || (isFirstStepEdited && step === undefined) ? 'you' : (step ?? next)
  // When another tab creates the calendar, the first step stays open with the typed text.
  const isFirstStepOpen = hasNoCalendar || (isFirstStepEdited && current === 'you')
  if (isFirstStepEdited && !isFirstStepOpen) setFirstStepEdited(false)
  const nameInUrl = useCallback(() => {
    void navigate({ search: { step: current }, resetScroll: false, replace: true })
  }, [navigate, current])
  const isUnnamed = step === undefined && setup.calendar_id !== null
  useEffect(() => {
    // A step that the URL does not name would change once another tab completes it, and what is typed would be lost.
    if (isUnnamed) nameInUrl()
  }, [isUnnamed, nameInUrl])
  const goOn = useCallback(() => {
    const following = SETUP_PAGES[SETUP_PAGES.indexOf(current) + 1]
    // The browser's Back leads to the step that the owner leaves, which the URL may not have named.
    nameInUrl()
    void navigate({ search: { step: following }, resetScroll: true })
  }, [navigate, current, nameInUrl])
  return (
    <>
      <SetupProgress setup={setup} current={current} />
      {setup.calendar_id === null || isFirstStepOpen ? (
        <YouStep owner={owner} setup={setup} calendar={undefined} onDone={goOn} onEdit={onEdit} />
      ) : (
        <CalendarSteps
          key={current}
          current={current}
          owner={owner}
          setup={setup}
          calendarId={setup.calendar_id}
          onDone={goOn}
        />
      )}
    </>
  )
}

type StepProps = { owner: Owner; setup: Setup; onDone: () => void }

/** The pages of the set-up once there is a calendar. */
function CalendarSteps({
  calendarId,
  current,
  ...step
}: StepProps & { calendarId: string; current: SetupPageName }) {
  const query = useQuery(calendarQuery(step.owner.id, calendarId))
  const { data: calendar } = query
  if (calendar === undefined) {
    return (
      <LoadStatus query={query} loading="Loading calendar..." failed="Error loading calendar">
        <Skeleton className="h-96" />
      </LoadStatus>
    )
  }
  switch (current) {
    case 'you':
      return <YouStep {...step} calendar={calendar} />
    case 'hours':
      return <HoursStep calendar={calendar} onDone={step.onDone} />
    case 'services':
      return <ServicesStep calendar={calendar} onDone={step.onDone} />
    case 'external_calendar':
      return <ExternalCalendarStep calendar={calendar} onDone={step.onDone} />
    case 'link':
      return <LinkPage calendar={calendar} setup={step.setup} />
  }
}

function HoursStep({ calendar, onDone }: Pick<StepProps, 'onDone'> & { calendar: Calendar }) {
  const query = useQuery(availabilityQuery(calendar.id))
  const { data: week } = query
  return (
    <SimpleStep step="hours" title="Hours" description="We save each change right away." onDone={onDone}>
      <LoadStatus
        query={query}
        loading="Loading availability..."
        failed="Failed to load availability settings"
      >
        <Skeleton className="h-96" />
      </LoadStatus>
      {week !== undefined && (
        <HourCycleContext value={calendar.hour_cycle}>
          <WeeklyScheduleCard calendar={calendar} week={week} hasPrimaryButton={false} />
        </HourCycleContext>
      )}
    </SimpleStep>
  )
}

function ExternalCalendarStep({ calendar, onDone }: Pick<StepProps, 'onDone'> & { calendar: Calendar }) {
  const { data: external } = useQuery(externalCalendarsQuery(calendar.id))
  const isConnected = external?.connections.some(({ state }) => state !== 'revoked') ?? false
  return (
    <SimpleStep
      step="external_calendar"
      title="Your own calendar"
      description="Connect the calendar you already use, so that customers can’t book when you’re busy."
      isComplete={isConnected}
      canSkip={false}
      onDone={onDone}
    >
      <IntegrationsTab calendar={calendar} isSetup />
    </SimpleStep>
  )
}

/** The last page: the link of the booking page, to copy, to put on a website or to try out. */
function LinkPage({ calendar, setup }: { calendar: Calendar; setup: Setup }) {
  return (
    <section className="flex flex-col gap-6">
      <StepHeading
        title="Your booking page is ready"
        description="Send the link to your customers, or add the page to your website."
      />
      <Card className="flex flex-col items-start gap-4">
        <a
          href={calendar.public_url}
          target="_blank"
          rel="noopener"
          className="text-lg font-semibold text-link underline underline-offset-4 wrap-anywhere"
        >
          {calendar.public_url}
        </a>
        <div className="flex flex-wrap items-center gap-2">
          <CopyButton text={calendar.public_url} label="Copy link" done="Copied to clipboard!" isPrimary>
            Copy link
          </CopyButton>
          <EmbedButton calendar={calendar} isLabelled />
        </div>
        <div className="w-full border-t border-line pt-4">
          <TestAppointmentPart calendarId={calendar.id} test={setup.test_appointment} />
        </div>
      </Card>
      <ButtonLink className="self-start" href={paths.dashboard()}>
        Go to the dashboard
      </ButtonLink>
    </section>
  )
}
