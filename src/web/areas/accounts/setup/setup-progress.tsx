import type { Setup } from '#contract/accounts/setup.ts'
import { workspacePaths } from '#web/kit/workspace-paths.ts'
import { classNames } from '#web/ui/class-names.ts'
import { Check } from '#web/ui/icons/check.ts'
import { SETUP_PAGE_NAMES, SETUP_PAGES, type SetupPageName } from './setup-labels.ts'

type SetupProgressProps = { setup: Setup; current: SetupPageName }

/** Lists the pages of the set-up with their state. Once there is a calendar, each is a link. */
export function SetupProgress({ setup, current }: SetupProgressProps) {
  const hasCalendar = setup.calendar_id !== null
  return (
    <nav aria-label="Set-up">
      <ol className="-ms-2 flex flex-wrap gap-x-1">
        {SETUP_PAGES.map((page, index) => {
          const isDone = page !== 'link' && setup.steps[page] === 'done'
          const label = (
            <>
              <span
                aria-hidden="true"
                className={classNames(
                  'grid size-6 shrink-0 place-items-center rounded-full text-sm tabular-nums',
                  isDone ? 'bg-success-soft text-success' : 'bg-sunken text-ink-soft',
                )}
              >
                {isDone ? <Check className="size-4" /> : index + 1}
              </span>
              <span className={classNames(page === current && 'font-semibold text-ink')}>
                {SETUP_PAGE_NAMES[page]}
              </span>
              {isDone && <span className="sr-only">, done</span>}
            </>
          )
          const className = 'flex min-h-11 items-center gap-2 rounded-control px-2 text-ink-soft'
          return (
            <li key={page}>
              {hasCalendar || page === 'you' ? (
                <a
                  href={workspacePaths.setup(page)}
                  aria-current={page === current ? 'step' : undefined}
                  className={classNames(className, 'hover:bg-sunken')}
                >
                  {label}
                </a>
              ) : (
                <span className={className}>{label}</span>
              )}
            </li>
          )
        })}
      </ol>
    </nav>
  )
}
