import { type FormEventHandler, type ReactNode, useEffect, useRef } from 'react'
import { FormProblem } from '#web/kit/form-problem.tsx'
import { Button } from '#web/ui/button.tsx'

type SetupStepProps = {
  title: string
  description: ReactNode
  /** The fields of the step. They are a part of its form. */
  fields?: ReactNode
  /** Content that has forms of its own. */
  children?: ReactNode
  /** The label of the main button. */
  submitLabel: string
  /** False when the content has a more important button. */
  isPrimary?: boolean
  onSubmit: FormEventHandler<HTMLFormElement>
  /** Leaves the step for later. Absent when there is nothing to leave. */
  onSkip?: (() => void) | undefined
  pending: boolean
  /** An error that concerns the whole step. */
  problem?: string | undefined
}

/** One step of the set-up: a heading, its content, and the buttons that go on. The heading gets the focus. */
export function SetupStepFrame(props: SetupStepProps) {
  const { title, description, fields, children, onSubmit, onSkip, pending, problem } = props
  const { submitLabel, isPrimary = true } = props
  return (
    <section className="flex flex-col gap-6">
      <StepHeading title={title} description={description} />
      {children}
      <form noValidate onSubmit={onSubmit} className="flex flex-col gap-6">
        {fields}
        <FormProblem message={problem} />
        <div className="flex flex-wrap gap-3">
          <Button
            type="submit"
            variant={isPrimary ? 'primary' : 'secondary'}
            pending={pending}
            pendingLabel="Saving..."
          >
            {submitLabel}
          </Button>
          {onSkip !== undefined && (
            <Button variant="ghost" onClick={onSkip} disabled={pending}>
              Skip for now
            </Button>
          )}
        </div>
      </form>
    </section>
  )
}

/** The heading of a step. It gets the focus, so that screen readers read it when the step has changed. */
export function StepHeading({ title, description }: Pick<SetupStepProps, 'title' | 'description'>) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  return (
    <div>
      <h2 ref={heading} tabIndex={-1} className="text-2xl font-semibold outline-none">
        {title}
      </h2>
      <p className="mt-1 text-ink-soft">{description}</p>
    </div>
  )
}
