import { useQuery } from '@tanstack/react-query'
import type { Setup } from '#contract/accounts/setup.ts'
import { findNextStep } from '#core/accounts/setup-steps.ts'
import { TestAppointmentPart } from '#web/kit/test-appointment.tsx'
import { workspacePaths } from '#web/kit/workspace-paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Check } from '#web/ui/icons/check.ts'
import { toast } from '#web/ui/toast.tsx'
import { SETUP_PAGES, SETUP_TASKS } from './setup-labels.ts'
import { setupQuery, useChangeSetup } from './setup-query.ts'

/**
 * Shows a new owner which steps of the set-up are left, until the first booking or until the owner puts the list away. Renders
 * nothing while it loads or if it cannot load, because the page is about something else. Source: rule U32.
 */
export function SetupChecklist() {
  const { data: setup } = useQuery(setupQuery)
  if (setup === undefined || setup === null || setup.is_dismissed || setup.has_booking) return null
  return <Checklist setup={setup} />
}

function Checklist({ setup }: { setup: Setup }) {
  const { mutate, isPending } = useChangeSetup()
  const next = findNextStep({ steps: setup.steps, calendarId: setup.calendar_id })
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
        {SETUP_PAGES.map((page) => {
          const isDone = page !== 'link' && setup.steps[page] === 'done'
          return (
            <li key={page}>
              <a
                href={workspacePaths.setup(page)}
                className="flex min-h-11 items-center gap-3 rounded-control px-1 hover:bg-sunken"
              >
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
                <span className={isDone ? 'text-ink-soft' : 'font-semibold'}>{SETUP_TASKS[page]}</span>
                {isDone && <span className="sr-only">(done)</span>}
              </a>
            </li>
          )
        })}
      </ul>
      {next === null && setup.calendar_id !== null && (
        <div className="mt-3">
          <TestAppointmentPart calendarId={setup.calendar_id} test={setup.test_appointment} />
        </div>
      )}
      <div className="mt-4 flex flex-wrap gap-3">
        <ButtonLink variant="primary" href={workspacePaths.setup(next ?? 'link')}>
          {next === null ? 'Share your link' : setup.calendar_id === null ? 'Start' : 'Continue'}
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
