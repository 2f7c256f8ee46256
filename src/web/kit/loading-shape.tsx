import { Fragment, type ReactNode } from 'react'
import { classNames } from '#web/ui/class-names.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'

type LoadingShapeProps = {
  text: string
  className?: string | undefined
  /** The placeholders. They have the size of the content, so that nothing moves when the content arrives. */
  children: ReactNode
}

/**
 * Shows a loading text over placeholders that reserve the content's space. Both fade in after a moment, so that fast responses
 * cause no flash.
 */
export function LoadingPlaceholder({ text, className, children }: LoadingShapeProps) {
  return (
    <div role="status" className={classNames('relative animate-appear', className)}>
      <div aria-hidden="true">{children}</div>
      {/* Centred in the placeholder, but never below the first screen. */}
      <p className="absolute inset-x-0 top-0 grid h-full max-h-72 place-items-center">
        <span className="rounded-full border border-line bg-surface px-3 py-1 text-sm text-ink-soft">
          {text}
        </span>
      </p>
    </div>
  )
}

/** The classes for the height of a text line and of the bar inside it. */
const LINES = {
  sm: ['h-5', 'h-3.5'],
  base: ['h-6', 'h-4'],
  lg: ['h-6.5', 'h-4'],
  xl: ['h-7', 'h-5'],
  '2xl': ['h-8.5', 'h-6'],
  '3xl': ['h-10', 'h-7'],
} as const

/** The placeholder of a text line. `className` sets its width. */
export function LinePlaceholder({
  size = 'base',
  className,
}: {
  size?: keyof typeof LINES
  className: string
}) {
  const [line, letters] = LINES[size]
  return (
    <div className={classNames('flex max-w-full items-center', line)}>
      <Skeleton className={classNames('max-w-full', letters, className)} />
    </div>
  )
}

type FieldShapeProps = { hint?: boolean; className?: string; controlClass?: string }

/** The placeholder of a labelled field. */
export function FieldPlaceholder({ hint = false, className, controlClass = 'h-11' }: FieldShapeProps) {
  return (
    <div className={classNames('flex min-w-0 flex-col gap-1.5', className)}>
      <LinePlaceholder size="sm" className="w-28" />
      <Skeleton className={controlClass} />
      {hint && <LinePlaceholder size="sm" className="w-56" />}
    </div>
  )
}

/** The placeholder of a switch with a label and a hint. The hint takes two lines on phones. */
export function SwitchPlaceholder() {
  return (
    <div className="flex gap-3">
      <Skeleton className="h-6.5 w-11 shrink-0 rounded-full!" />
      <div className="min-w-0 flex-1">
        <LinePlaceholder className="w-56" />
        <LinePlaceholder size="sm" className="w-80" />
        <div className="h-5 sm:hidden" />
      </div>
    </div>
  )
}

/** The placeholder of a button in a card's header. It is as wide as the button, so that the header wraps in the same way. */
export function ButtonPlaceholder({ className }: { className: string }) {
  return <Skeleton className={classNames('h-11 max-w-full', className)} />
}

/** The placeholder of a small button, which is higher on touch screens. */
export function SmallButtonPlaceholder({ className }: { className: string }) {
  return <Skeleton className={classNames('h-9 max-w-full touch:h-11', className)} />
}

/** The placeholder of a badge in a heading. */
export function BadgePlaceholder({ className }: { className: string }) {
  return (
    <span aria-hidden="true" className={classNames('h-6 animate-pulse rounded-full bg-sunken', className)} />
  )
}

/** Repeats a placeholder `count` times. */
export function RepeatedPlaceholder({ count, children }: { count: number; children: ReactNode }) {
  return Array.from({ length: count }, (_, index) => `shape-${index}`).map((key) => (
    <Fragment key={key}>{children}</Fragment>
  ))
}
