import { useQuery } from '@tanstack/react-query'
import type { Setup } from '#contract/accounts/setup.ts'
import { findNextStep, SETUP_STEPS } from '#core/accounts/setup-steps.ts'
import { TestAppointmentPart } from '#web/kit/test-appointment.tsx'
import { workspacePaths } from '#web/kit/workspace-paths.ts'
import { paths } from '#web/shared/paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Check } from '#web/ui/icons/check.ts'
import { toast } from '#web/ui/toast.tsx'
import { SETUP_TASKS } from './setup-labels.ts'
import { setupQuery, useChangeSetup } from './setup-query.ts'

/**
 * Shows a new owner which steps of the set-up are left, until the first booking or until the owner puts the list away. Renders
 * nothing while it loads or if it cannot load, because the page is about something else. Source: rule U32.
 */
export function SetupChecklist() {
  // The owner completes some tasks on other pages.
  const { data: setup } = useQuery({ ...setupQuery, staleTime: 0 })
  if (setup === undefined || setup === null || setup.is_dismissed || setup.has_booking) return null
  return <Checklist setup={setup} />
}

function Checklist({ setup }: { setup: Setup }) {
  const { mutate, isPending } = useChangeSetup()
  const calendarId = setup.calendar_id
  const next = findNextStep({ steps: setup.steps, calendarId })
  const title = next === null ? 'Get your first booking' : 'Set up your booking page'
  return (
    <Card
      aria-label={title}
      title={title}
      description={
        next === null
          ? 'Everything is ready. Share your link with your customers.'
          : 'This takes about three minutes. You can stop at any time.'
      }
    >
      <ul className="-mt-1 grid gap-x-6 @2xl:grid-cols-2">
        {SETUP_STEPS.map((step) => (
          <Task key={step} href={workspacePaths.setup(step)} isDone={setup.steps[step] === 'done'}>
            {SETUP_TASKS[step]}
          </Task>
        ))}
        {calendarId !== null && (
          <>
            <Task href={paths.calendarSettings(calendarId, 'locations')} isDone={setup.has_location}>
              Add an address, if customers come to you
            </Task>
            <Task href={paths.calendarSettings(calendarId, 'availability')} isDone={setup.has_holidays}>
              Choose your public holidays
            </Task>
          </>
        )}
        <Task href={workspacePaths.setup('link')}>{SETUP_TASKS.link}</Task>
      </ul>
      {next === null && calendarId !== null && (
        <div className="mt-3">
          <TestAppointmentPart calendarId={calendarId} test={setup.test_appointment} />
        </div>
      )}
      <div className="mt-4 flex flex-wrap gap-3">
        <ButtonLink variant="primary" href={workspacePaths.setup(next ?? 'link')}>
          {next === null ? 'Share your link' : calendarId === null ? 'Start' : 'Continue'}
        </ButtonLink>
        <Button
          variant="ghost"
          pending={isPending}
          pendingLabel="Hiding..."
          onClick={() => mutate({ is_dismissed: true }, { onError: (error) => toast.error(error.message) })}
        >
          Hide this list
        </Button>
      </div>
    </Card>
  )
}

type TaskProps = { href: string; isDone?: boolean; children: string }

function Task({ href, isDone = false, children }: TaskProps) {
  return (
    <li>
      <a href={href} className="flex min-h-11 items-center gap-3 rounded-control px-1 hover:bg-sunken">
        <span
          aria-hidden="true"
          className={
            isDone
              ? 'grid size-6 shrink-0 place-items-center rounded-full bg-success-soft text-success'
              : 'size-6 shrink-0 rounded-full border-2 border-line-strong'
          }
        >
          {isDone && <Check className="size-4" />}
        </span>
        <span className={isDone ? 'text-ink-soft' : 'font-semibold'}>{children}</span>
        {isDone && <span className="sr-only">(done)</span>}
      </a>
    </li>
  )
}
