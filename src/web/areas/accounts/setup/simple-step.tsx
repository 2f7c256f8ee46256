import type { ReactNode } from 'react'
import type { SetupStep } from '#core/accounts/setup-steps.ts'
import { useChangeSetup } from './setup-query.ts'
import { SetupStepFrame } from './setup-step.tsx'

type SimpleStepProps = {
  step: Exclude<SetupStep, 'you'>
  title: string
  description: ReactNode
  /** The content. It saves its own changes. */
  children: ReactNode
  /** False when the owner cannot complete the step yet: only skipping it goes on. */
  isComplete?: boolean
  onDone: () => void
}

/** A step whose content saves its own changes. The step records only whether it is done or skipped. */
export function SimpleStep({ step, children, isComplete = true, onDone, ...head }: SimpleStepProps) {
  const { mutate, isPending, error } = useChangeSetup()
  const record = (state: 'done' | 'skipped') => mutate({ steps: { [step]: state } }, { onSuccess: onDone })
  return (
    <SetupStepFrame
      {...head}
      submitLabel={isComplete ? 'Continue' : 'Skip for now'}
      isPrimary={isComplete}
      onSubmit={(event) => {
        event.preventDefault()
        record(isComplete ? 'done' : 'skipped')
      }}
      onSkip={isComplete ? () => record('skipped') : undefined}
      pending={isPending}
      problem={error?.message}
    >
      {children}
    </SetupStepFrame>
  )
}
