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
 * Returns the step with which the owner goes on: the first that is open. Without a calendar it is always the first step,
 * which creates one. Null when no step is open.
 */
export function findNextStep({ steps, calendarId }: SetupProgress): SetupStep | null {
  if (calendarId === null) return 'you'
  return SETUP_STEPS.find((step) => steps[step] === 'open') ?? null
}

/** Returns the step after `step`; null after the last one. */
export function findStepAfter(step: SetupStep): SetupStep | null {
  return SETUP_STEPS[SETUP_STEPS.indexOf(step) + 1] ?? null
}

/** True when a text is the name of a step. */
export function isSetupStep(text: unknown): text is SetupStep {
  return SETUP_STEPS.some((step) => step === text)
}
