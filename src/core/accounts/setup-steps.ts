/** The steps of the set-up of a new account, in their order. Source: rule U32. */
export const SETUP_STEPS = ['you', 'hours', 'services', 'external_calendar'] as const

export type SetupStep = (typeof SETUP_STEPS)[number]
export type SetupStepState = 'open' | 'done' | 'skipped'

type SetupProgress = {
  readonly steps: Readonly<Record<SetupStep, SetupStepState>>
  /** The calendar that is set up; null before the first step, or when it was deleted. */
  readonly calendarId: string | null
}

/**
 * Returns the owner's next step: the first open one. Without a calendar, it is the first step, which creates a calendar.
 * Null when no step is open.
 */
export function findNextStep({ steps, calendarId }: SetupProgress): SetupStep | null {
  if (calendarId === null) return 'you'
  return SETUP_STEPS.find((step) => steps[step] === 'open') ?? null
}
