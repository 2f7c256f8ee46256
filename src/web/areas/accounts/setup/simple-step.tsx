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
  /** False when skipping the completed step makes no sense. */
  canSkip?: boolean
  onDone: () => void
}

/** A step whose content saves its own changes. The step records only whether it is done or skipped. */
export function SimpleStep(props: SimpleStepProps) {
  const { step, children, isComplete = true, canSkip = true, onDone, ...head } = props
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
      onSkip={isComplete && canSkip ? () => record('skipped') : undefined}
      pending={isPending}
      problem={error?.message}
    >
      {children}
    </SetupStepFrame>
  )
}
